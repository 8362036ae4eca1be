"""Function words and question words per language: what a query leaves out, and what gives a language away."""

_WORDS = {
    "en": """a about above after again against all also am an and any are aren't as at be because been before being
        below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down
        during each else ever few for from further get give given had has have having he her here hers herself him
        himself his how i if in into is isn't it its itself just let's like many may me might more most much must
        my myself no nor not of off on once only or other ought our ours out over own per please shall she should
        so some such tell than that the their theirs them themselves then there these they this those through to
        too under until up upon us very was wasn't we were weren't what whatever when where whether which while who
        whom whose why will with within without won't would wouldn't you your yours yourself i'm you're it's that's
        what's who's where's when's how's i've you've we've i'd im ive id dont doesnt cant didnt isnt whats wheres
        hows whos""",
    "de": """ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf aus
        außer bei beim bereits besonders bevor bin bis bist bitte bzw da dabei dadurch dafür dagegen daher dahin
        dahinter damit danach dann daran darauf daraus darf darin darüber darum darunter das dass daß davon davor dazu
        dazwischen dein deine dem den denen denn denselben der deren derselbe des deshalb dessen deswegen die dies diese
        dieselbe diesem diesen dieser dieses doch dort du durch dürfen durfte dürfte durften eben ein einander eine
        einem einen einer eines einige einigem einigen einiger einiges entweder er es etwa etwas euch euer falls für gar
        gegen getan gewesen geworden gibt habe haben habt hast hat hatte hätte hatten hätten heißen heißt her hier
        hierzu hieß hießen hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins inwiefern
        inwieweit ist ja jede jedem jeden jeder jedes jedoch jemand jene jenem jenen jener jenes kann kannst kein keine
        keinem keinen keiner keines können könnte konnte konnten könnten lassen lässt ließ ließen mag man manche manchen
        mancher manches mehr mehrere mehreren mehrerer mein meine meinem meinen meiner meines mich mir mit mochte
        mochten mögen muss müssen musste müsste mussten nach nachdem neben nicht nichts niemand noch nun nur ob obwohl
        oder ohne pro schon sehr sei seid seien sein seine seinem seinen seiner seines seit selber selbst sich sie sind
        so sobald sodass sogar solche solchem solchen solcher solches soll sollen sollte sollten sondern sonst sowie tat
        taten trotz trotzdem tun tut über um und uns unser unsere unserem unseren unseres unter viel viele vielen vom
        von vor während wann war wäre waren wären warum was weder wegen weil welch welche welchem welchen welcher
        welches wem wen wenn wer werden weshalb wessen wie wieso wieviel wieviele will wir wird wo wobei wodurch wofür
        wogegen woher wohin wollen wollte wollten womit wonach woran worauf woraus worden worin worüber worum worunter
        wovon wovor wozu wurde würde wurden würden zu zum zur zwar zwischen""",
    "fr": """a à ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avez avoir avons c
        car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de depuis des
        donc dont du elle elles en encore entre es est et étaient était étant été être eu eux furent fut il ils j
        je jusqu l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais me même
        mêmes mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus
        pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous
        suis sur t ta tandis te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y combien
        est-ce fait faire puis dire""",
    "es": """a además adónde ahí ahora al algo alguna algunas alguno algunos allí ante antes aquel aquella aquellas
        aquello aquellos aquí así aún aunque bajo bien cada casi como cómo con conmigo contra cual cuál cuáles cualquier
        cuando cuándo cuanta cuánta cuántas cuanto cuánto cuántos cuya cuyas cuyo cuyos de debe deben debía debían del
        demás dentro desde después donde dónde dos durante e el él ella ellas ellos en entonces entre era éramos eran
        eres es esa esas ese eso esos esta está estaba estaban estamos están estar estaría estas este esto estos
        estoy estuvieron estuvo fue fuera fueran fueron ha haber había habría hace hacen hacer hacia hacía hacían
        haciendo han hasta hay hicieron hizo hubo incluso la las le les lo los luego más me mediante menos mi mía mío
        mis misma mismas mismo mismos mucha muchas mucho muchos muy nada ni no nos nosotras nosotros nuestra nuestro o
        os otra otras otro otros para pero poco podía podían podría podrían por porque pudieron pudo puede pueden pues
        que qué quién quien quiénes quienes quizá se sea sean según ser será serán sería serían si sí sido siendo sin
        sino sobre somos son soy su sus suya suyas suyo suyos tal tales también tan tanta tantas tanto tantos te tener
        tengo tenía tenían teniendo tiene tienen toda todas todo todos tras tu tú tus tuvieron tuvo un una unas uno unos
        usted va van vosotros y ya yo""",
    "pt": """a à ao aos aquela aquele aqueles aquilo as às até cada com como contra da das de dela dele deles
        depois desde dessa desse desta deste do dos e é ela elas ele eles em entre era eram essa essas esse esses
        esta está estão estar estas este estes eu foi foram há isso isto já la lhe lhes lo mais mas me mesmo meu
        meus minha muita muitas muito muitos na não nas nem no nos nós nossa nosso num numa o onde os ou outra
        outras outro outros para pela pelas pelo pelos pode podem por porque porquê pois qual quais quando quanta
        quantas quanto quantos que quê quem são se sem ser será seu seus sido só sob sobre sua suas também tem têm
        ter teu tinha toda todas todo todos tu tua tudo um uma umas uns você vocês""",
    "it": """a ad ai al alla alle allo anche ancora aveva avere c che chi ci come con contro cosa cui d da dai dal
        dalla dalle dallo de degli dei del dell della delle dello di dopo dove due e è ed era erano essere fa fra
        già gli ha hanno ho i il in io l la le lei li lo loro lui ma mi mia mio molta molte molti molto ne negli
        nei nel nell nella nelle nello nessuno no noi non nostra nostro o ogni oppure per perché perciò però più
        poi prima proprio può possono qual quale quali qualche quando quanta quante quanti quanto quel quella
        quelle quelli quello questa queste questi questo qui se sei sempre senza si sia sono sopra sotto stata
        state stati stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tua tuo tutta tutte tutti tutto un
        una uno va vi voi""",
    "nl": """aan af al alle alleen als altijd andere anders ben bij bijna daar daarom dan dat de deze die dit doch
        doen door dus een eens eerst elk elke en er ergens geen geweest haar had hadden heb hebben heeft heel hem
        het hier hij hoe hoeveel hun iemand iets ik in is ja je jij jou jouw jullie kan kunnen kun maar me meer men
        met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons ook op over reeds sinds te tegen
        ten ter toch toen tot tussen u uit uw van veel via voor waar waarom waarvoor wanneer waren was wat we welk
        welke werd werden wie wiens wij wil word worden wordt zal ze zei zelf zich zij zijn zo zoals zonder zou
        zouden""",
    "sv": """alla allt än andra är arbetar att av bara blev bli blir både de del dem den denna deras dess dessa det
        detta dig din dina ditt du där då efter eller en enligt er ett finns flera från för få får genom ha hade
        han hans har hela henne hennes hon honom hur här i icke in ingen inom inte ja jag kan kom kommer kunde man
        med mellan men mer mig min mina mitt mot mycket ni nu när någon något några och också om oss på redan samma
        sedan sig sin sina sitt själv ska skall skulle som så sådan till under upp ut utan vad var vara varför
        varit varje vars vem vems vi vid vilka vilken vilket än åt över""",
    "da": """af alle alt anden andet andre at blev blive bliver da de dem den denne der deres det dette dig din
        dine dit dog du efter eller en end er et for fordi fra få får før gennem ham han hans har havde have hende
        hendes her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornår i ikke ind ingen
        jeg jer jo kan kom kunne man mange med meget mellem men mens mere mig min mine mit mod må ned nogen nogle
        noget nu når ny og også om op os over på selv sig sin sine sit skal skulle som så sådan thi til ud under
        var ved vi vil ville vor være været""",
    "no": """alle alt andre at av bare begge ble bli blir både da de deg dei deim deira dem den denne der dere
        deres det dette di din disse ditt du eg ein eit eller en enn er et ett etter for fordi fra få får før ha
        hadde han hans har hennar henne hennes her hun hva hvem hver hvilke hvilken hvilket hvis hvor hvordan
        hvorfor hvorhen i ikke ikkje inn ingen innen ja jeg kan kom korleis kunne man mange me med meg mellom men
        mens mer mest min mine mitt mot mye må nå når noe noen nok ny og også om opp oss over på samme seg selv si
        sin sine sitt skal skulle slik som så til um under ut uten var ved vi vil ville være vært""",
    "fi": """ei eikä eivät ehkä eli en entä ennen enää että hän häneen hänen häntä he heidän heitä ja jo joihin
        joiden joka joko jolla jolle jonka jos joskus jossa josta jota jotka jotta juuri kai kaikki kanssa kautta
        keitä kenen kenet kuin kuinka kuitenkin kuka kun koska ketkä lisäksi me meidän meitä mihin mikä mikäli
        miksi millä milloin minkä minun minä missä mistä mitkä mitä miten molemmat monta mutta muut myös nämä ne
        niiden niin niitä noin nuo nyt näin olen oli olivat olla ole olemme olet on ovat paljon sai saa sekä se sen
        siellä siinä sillä sinun sinä siis siitä silti sitä sitten tai tämä tämän tähän tässä tätä te teidän tulee
        tuo vaan vai vaikka vain voi voidaan yli""",
    "pl": """a aby ale ani aż bardzo bez bo by być był była było były będą będzie chce choć ci co coś czego czemu
        czy czyj czyja czyje czyli dla dlaczego do gdy gdyby gdzie go i ich ile im inne iż ja jak jaka jaki jakich
        jakie jakiego jako je jeden jednak jego jej jemu jest jestem jeszcze jeśli jeżeli już ją każdy kiedy kim
        kogo komu która które którego której który których którym którzy kto ku lecz lub ma mają mam mi między mnie
        może można mu my na nad nam nas nasz nawet nic nich nie niego niej nim niż no o od około on ona one oni ono
        oraz po pod podczas ponieważ poza przed przez przy roku są się skąd swoje swój ta tak taki takie tam te
        tego tej ten to tu twój ty tych tylko tym u w wam was we więc wszystko wy z za zaś że żeby""",
    "cs": """a aby aj ale ani asi až bez bude budou by byl byla byli bylo být ci co což cz či další do ho i já jak
        jaká jaké jaký jako je jeho jej její jejich jen jenž ještě ji jiné již jsem jsi jsme jsou jste k kam každý
        kde kdo kdy když kolik komu koho ke která které kterého který kteří ku ma má mají mě mezi mi mít mnoho moc
        může my na nad nám napište nás náš ne nebo nebyl nejsou není než nic o od on ona oni ono pak po pod podle
        pokud pouze prav pro proč proto protože první před přes při s se si své svých ta tak také takže tam tato te
        tě tedy ten tento této tím to toho tom tomto tu tuto ty tyto u už v vám vás váš ve více však všechno vy z
        za zda ze že""",
    "sk": """a aby aj ak ako aká aké aký ale alebo ani asi až bez bol bola boli bolo bude budú by byť čo či ďalšie
        do ho i iba ich im ja je jeho jej jeho jej ju k kam každý kde kedy keď kto koľko komu ktorá ktoré ktorý
        ktorí ku ma má majú medzi mi môže my na nad nám nie než niečo o od on ona oni ono po pod podľa pokiaľ potom
        preto prečo pred pri pre s sa si sme so som sú svoje ta tak takže tam táto teda ten tento tieto to toho tom
        tomto tu túto ty v vám vás vo viac však všetko vy z za zo že""",
    "sl": """a ali ampak bi bil bila bili bilo biti bo bodo da do ga in iz je jih jo k kaj kako kakšen kakšna
        kateri katera katero kdaj kdo ker ki kje ko koliko komu lahko le ma med mi na nad naj ne ni nič nje njegov
        njen njih o ob od on ona oni pa po pod pred preko pri s sam se sem si smo so ste svoj ta tako tam te tega
        ti to tu tudi v več vse za zakaj zato zelo že""",
    "hr": """a ako ali bi bila bili bilo bio biti čega čemu će da do dok ga gdje i ih ili im iz ja je jedan jer još
        ju k kad kada kako kao koga koja koje kojeg koji kojim kolika koliko kome li među mi mu na nad ne nego neki
        nije nisu njegov njih o od ona oni ono ova ovaj ovo po pod prema pri s sa sam samo se si smo ste su sve svi
        svoj šta što ta taj tako te ti to tko tu u uz vi više za zašto zbog""",
    "ro": """a acea aceasta această acest acesta aceste acestei acestui acești aceștia ai al ale am ar are astfel
        așa atunci au avea avut că cât câte câți cărei căror când care ce cea cei cel cele cine ci cu cum cui da
        dacă dar de deci decât deși despre din după ea ei el ele era erau este eu face fi fie fiind fost iar în îl
        îi înainte între își la le li lor lui mai mea meu mult multe mulți ne ni nici nu o ori pe pentru poate pot
        prin printre sa sale să său se si sau sunt spre sub și te tot toate toți tu un una unde unei unele unor
        unui vă va vor voi""",
    "hu": """a abban ahhoz aki akik ahol ahogy akkor alatt által általában amely amelyek amelyet ami amíg amikor az
        azok azonban azt azért be bár benne csak de e egy egyéb egyes egyik el ez ezek ezen ezért ezt ezzel fel
        felé ha hanem hány hogy hogyan hol honnan hova igen ill illetve ilyen is itt jól kell kellett ki kik kit
        kinek között le lehet lehetett lenne lesz lett maga már mely melyek melyik mennyi mert meg mi mikor milyen
        miért mind minden mint mit mivel most nagyon ne nekem nem nincs ő ők őket össze pedig s saját se sem során
        számára szerint t tehát újra után utána vagy vagyok valaki van vannak vele viszont volt voltak volna""",
    "tr": """acaba ama ancak artık aslında az bana bazı belki ben benim beri bile bir biraz birçok biri biz bizim
        bu buna bunda bundan bunlar bunu bunun burada çok çünkü da daha de değil diye dolayı eden ederek eğer en
        gibi göre ha hala hangi hangisi hatta hem henüz hep her hiç için içinde ile ilgili ise işte kaç kadar
        karşın kendi kim kime kimin ki mı mi mu mü nasıl ne neden nedir nerede nereye nerede neler niçin niye o
        olan olarak oldu olduğu olduğunu olması olur ona ondan onlar onu onun onların oysa öyle önce pek rağmen
        sadece sanki sen siz sonra şey şu tarafından tüm var ve veya vardı ya yani yapılan yer yok zaten""",
    "id": """ada adalah agar akan aku anda antara apa apakah atas atau bagaimana bagi bahwa banyak beberapa begitu
        belum berapa bisa bukan dalam dan dapat dari daripada dengan di dia hanya harus ia ini itu jadi jika juga
        kamu kami kapan karena ke kepada ketika kita lagi lain lebih maka manakah mana masih mengapa mereka menjadi
        merupakan namun oleh pada para pernah saat saja sampai sangat saya sebagai sebelum sebuah secara sedang
        sejak seluruh semua seperti serta setelah setiap siapa siapakah suatu sudah supaya tapi telah tentang
        terhadap tersebut tetapi tidak untuk yaitu yang""",
    "vi": """ai anh bao bị bởi các cái cách cần chỉ cho chúng có còn của cùng cũng đã đâu đây đang đến đều để đi
        điều do đó được gì hai hay hơn khi không là lại làm lên lúc mà mỗi một này nào nên nếu ngay ngoài nhiêu
        nhiều như nhưng những ở qua ra rất rằng rồi sao sau sẽ số sự tại tất tên thế thì theo thứ từ tới trên trong
        trước và vào vẫn về vì việc với""",
    "ca": """a això al als altra altre amb aquell aquest aquesta aquests bé cada com d de del dels des després dins
        doncs el ella els en encara ens entre era eren és esta està estan et fins fou ha han hi i jo l la les li
        llur lo més meu molt molts n na ni no nosaltres o on per però perquè pel pels poc qual quals quan quant
        quants que què qui quin quina quins s sa seu seva se sense ser si són sobre sota també te tot tots un una
        uns van va vosaltres""",
    "et": """aga alla ega ei enne et ehk ja just juba ka kas keda kelle kes kohta kui kuidas kuigi kus kust kuni ma
        me mida mille milles millal millest mis miks mina mitu mõned nad neid nende need ning nii nõnda oli olid
        olla oma on ole pole palju peale pärast sa see seda selle selles siin siis sest sina tema ta te teda tõttu
        üle või vaid väga välja""",
    "lt": """apie ar arba bei bet bus buvo būti dar dėl iki ir iš į ja jai jam jau jei jeigu ji jie jiems jis jo
        jog jos jų kad kada kai kaip kas ką kiek kiekvienas kieno kitas kodėl kokia koks kol kur kuri kurie kuris
        kurių labai mes nei nes net nėra nuo o pagal pat per po prie prieš savo su šis šios tačiau tai taip tas ten
        tik tiek to tos už yra visi""",
    "lv": """ar arī bet bija bijis būt cik dēļ es gan gada ir ja jau jo ka kad kam kā kāda kādi kāds kas ko kur
        kura kuras kuri kurš ļoti mēs nav ne no nu par pār pa pēc pie pirms priekš savu šī šis tā tad tas tādēļ
        tiek tika to tomēr tur un uz vai vairāk var viņa viņi viņš visi zem""",
    "af": """aan as baie by daar dat deur die dis dit een en gaan het hierdie hoe hoekom hom hulle in is jou jy kan
        maar meer met moet my na nie nog of om onder ons ook op oor sal se sy so te tot tussen uit van vir waar
        wanneer was wat watter wees wie word""",
    "eu": """al ala arabera asko baina bat batean batek bere beste bezala da dago daude den dira dela du dute edo
        egin ere eta etorri ez ezin gabe hau hauek hori horiek izan izango kontra nahi nola non nondik nora noiz
        nor nork zein zen zer zergatik ziren zituen zuen zenbat""",
    "sq": """a ai ajo apo ata cila cilat cili çfarë dhe do duhet e edhe është i ishte ishin janë jo ka kanë kjo ky
        ku kur kush me më midis mund nga në një nuk pa pas pasi për pse por që sa së se shumë si siç te të tij tyre
        u vetëm""",
    "sw": """ambao au baada bila cha gani hadi hapa hata hii hilo hivyo huu hiyo ili ingawa je kama katika kati
        kila kisha kuhusu kutoka kuwa kwa kwamba kwenye la lakini lini mwa na nani ndani ndio ni nini pia sana si
        wa wake wakati wapi ya yake yao yupi za""",
    "ru": """а без более больше будет будут будучи был была были было быть в вам вас ваша ваше ваши весь весьма вместо
        во вот все всё всего всём всем всеми всему всех всю вся вы где да даже для до докуда его ее её если есть ещё еще
        ею же за зачем здесь и из или им имеет именно ими их к каждый как какая какие каким какими каких каков какова
        каково каковы какого какое какой каком какому какую кем когда кого ком кому которая которого которое которой
        котором которому которую которые который которым которыми которых кроме кто куда ли либо лишь между меня мне
        много моё моего моей может можно мои мой моя мы на над надо нас насколько наш наша наше наши не него нее неё ней
        нём нет ни ним ними них но ну о об один одна однако одни одно около он она они оно от откуда отчего очень перед
        по под после потому почему поэтому при про против раз с сам самая сами самого самое самой самом самую самые
        самый самым самых свое своего своей свои своих свой себе себя сейчас сколько со собой собою среди столько так
        также такие такой там твой твоя те тем то тогда того тоже той только том тому тот тою ту ты у уже хотя чего
        чей чем чём чему через что чтоб чтобы чьё чьего чьей чьи чью чья эта эти этим этими этих это этого этой этом
        этому этот эту я является являлась являлись являлось являлся являются""",
    "uk": """а або але без був була були було бути в вам вас весь вже ви від він вона вони воно все всі де для до
        дуже є її його з за зі і із інші їх й коли кого кому куди лише ми мене мені між може можна на над нам нас
        наш не нема немає ні ніж них о один однак ось перед під по потім про при саме свій своє своєї своїх себе
        скільки та так також там те тепер ти тим тих то тобто той тому треба тільки у хто хоча це цей цих цього
        цієї ця чи чий через чого чому що щоб щодо я як яка яке який яких якого якої якщо які""",
    "bg": """а ако ала без беше би бъде бил била били било в вас ваш ви все всеки всички във вие го да дали до
        докато дори е един една едно за заради защо защото и из или им има иска и й каза как каква какви какво
        какъв като кога кого когато което които кой който коя която къде към ли ме между ми мнозина мога може може
        много на над най не него нея ни ние никой но някои о обаче около от отново по под поради после при преди
        през с са само се сега си след сме според съм със също така там твой те тези ти това този той толкова тук
        тя у че чий чия чрез ще""",
    "sr": """а али би био била били бити било да до док где га и из или им их ја је један јер још као како када ко
        кога која које који којих колико која ли међу ми мој на над нам не него није нису њих његов њен о од они
        она оно ова овај ово по под пре при са сам само се свој смо су сте та тај тако те то у уз шта што за зашто
        због""",
    "el": """αλλά αν από απ αυτά αυτές αυτή αυτής αυτό αυτοί αυτός αυτού αυτών για γιατί δε δεν εάν εγώ είναι εκεί
        ένα έναν ένας ενός επίσης ενώ εσύ ή η ήταν θα και κάθε κατά κι μα μας με μετά μέσα μεταξύ μη μην μία μια
        μιας μόνο μου να ο οι όμως όπως όπου όσο όταν ότι ούτε πάνω παρά πιο πλέον ποια ποιες ποιο ποιον ποιοι
        ποιος ποιους πολύ πόσα πόσες πόσο πόσοι πότε που πού προς πριν πως πώς σαν σας σε στα στη στην στης στις
        στο στον στου στους στων συν σύμφωνα τα τη την της τι τις το τον του τους των υπήρχαν υπάρχει ως έχει έχουν
        είχε""",
    "ar": """أبو أثناء أحد أخرى أكثر ألا ألم أم أما أمام أن أنا أنت أنتم أنه أنها أنهم أو أولئك أي أية أيضا أين
        أيها أيهم أيهما إذ إذا إلا إلى إليه إليها إن إنه إنها اذكر التي الذي الذين اللاتي اللتان اللذان اللواتي
        بأن بعد بعض بل به بها بهذا بهذه بين بينما بينها بينهم بينهما تجاه تحت تعد تكون تلك تم ثم ثمة جدا جميع
        حتى حسب حول حيث حين حينما خلال دون ذات ذلك سواء سوف ضد عبر عدة علام على عليه عليها عليهم عما عمن عن عند
        عندما عنه عنها غير فإن فقد فهو فهي في فيم فيما فيه فيها قبل قد كأن كان كانت كانوا كذلك كل كلا كلتا كلما
        كم كما كون كونه كونها كي كيف لأن لأنه لأنها لا لدى لديه لديها لديهم لقد لك لكن لكي لم لما لماذا لن لنا
        له لها لهذا لهم لهما ليس ليست ما ماذا متى مثل مع معظم مما ممن من منذ منه منها منهم نحن هؤلاء هاتان هذا
        هذان هذه هذين هل هم هما هنا هناك هنالك هو هي و وأن وإن وفي وقد وكان وكانت ولا ولكن ولم ومن وهو وهي يا
        يتم يعد يكون يمكن يوجد""",
    "fa": """از است اگر اما آن آنها آیا ای این اینکه با باید باشد برای بر بسیار بود بودند به بی پس پیش تا تر توسط
        جز چرا چگونه چند چه چون چیست چیز حتی خود خواهد داد دارد دارند داشت در درباره دیگر را روی زیر سپس شد شده شود
        شوند طی کجا کدام کرد کردند کرده کسی کنند کند که کی گفت ما مانند من می نیز نیست ها های هر هم همان همه همین
        هنوز هیچ و وی یا یک""",
    "ur": """اپنا اپنی اپنے اس اسے اسی ان انہوں انہیں اور اگر ایک آپ اب بعد بھی پر پہلے تک تم تو تھا تھی تھے جب جس
        جن جو جہاں جیسے خود سکتا سکتی سکتے سے صرف طرح کا کب کتنا کتنی کتنے کر کرتا کرتے کرنے کس کسی کو کون کونسا
        کوئی کہ کہاں کہا کی کیا کیسے کیوں کے گا گی گئی گئے لئے لیکن لیے مگر میں نے نہیں نہ وہ ہو ہوا ہوتا ہوئے ہی
        ہیں ہے ہم یا یہ یہاں""",
    "hi": """अगर अत्यंत अथवा अन्य अपना अपनी अपने अब आ आई आए आता आती आते आदि आप आपका आपकी आपके आया इत्यादि इन इनका इनके
        इनको इनमें इनसे इन्हीं इन्हें इस इसका इसकी इसके इसको इसमें इसलिए इससे इसी इसे उन उनका उनकी उनके उनको उनमें
        उनसे उन्हें उन्होंने उस उसका उसकी उसके उसको उसने उसमें उससे उसी उसे एक एवं ऐसे और कई कब कर करके करता करते करना
        करनी करने करवाई करवाया कराई कराया करूँ करें करो कहकर कहते कहलाता कहलाती कहलाते कहा कहाँ कहां का काफी कि किंतु
        कितना कितनी कितने कितनों किन किनका किनकी किनके किनमें किन्तु किन्होंने किया किस किसका किसके किसको किसने किसमें
        किससे किसी किसे की कुछ के केवल कैसा कैसी कैसे को कोई कौन कौनसा कौनसी कौनसे क्या क्यूँ क्यों क्योंकि खुद गई गए
        गया गयी गये चाहिए चुका चुकी चुके जब जहाँ जा जाए जाएँ जाता जाती जाते जाना जाने जिन जिनका जिनकी जिनके जिनमें
        जिन्हें जिस जिसका जिसकी जिसके जिसने जिसमें जिससे जिसे जी जैसा जैसे जो तक तथा तथापि तब तरह तहत ताकि तुम
        तुम्हारा तो था थी थीं थे दिया दिये दी दे दें देता देती देते देना देने दो दोनों द्वारा न नहीं ना ने पड़ता पड़ती
        पड़ते पड़ा पड़ी पड़े पर परंतु परन्तु पहले पूरा फिर बताइए बताएँ बताएं बताओ बतायें बल्कि बहुत बाद बारे बिना बीच
        भी मगर मात्र मुझे में मेरा मेरी मेरे मैं यदि यद्यपि यह यहाँ या ये रहता रहती रहते रहना रहने रहा रही रहे लगता
        लगती लगते लगा लगी लगे लिए लिया लिये ली लें लेकिन लेता लेती लेते लेना लेने व वह वहाँ वाला वाली वाले वालों वे
        संबंध सकता सकती सकते सका सकी सके सकें सब सबसे सभी सा साथ सिर्फ़ सी से स्वयं हम हमारा हमारी हमारे हमें हालाँकि
        ही हुआ हुई हुईं हुए हूँ हूं है हैं हो हों होता होती होते होना होनी होने""",
    "mr": """अशा असे असा आणि आता आपण आपल्या आला आली आले आहे आहेत एक कधी करून का काय कुठे केला केली केले कोण कोणता
        कोणती कोणते कसे किती जो तर ते तो त्या त्याचा त्याची त्याचे त्यांनी त्याने नाही नव्हते पण परंतु पासून म्हणून
        मध्ये मी या यांनी यांच्या येथे व वर सर्व साठी ही हे हा होता होती होते ला""",
    "ne": """अनि अब अरू आफ्नो उनको उनी एउटा एक कति कसरी कसको कसले कहाँ कहिले का कि किन कुन के को गर्न गर्ने गरेको छ
        छन् छैन जब जुन तर त्यो तथा थियो थिए देखि न नै पनि पछि बाट भएको भन्ने भने मा मात्र यस यसको यो र रूपमा लाई ले
        वा सँग हो हुन हुने हुन्छ""",
    "bn": """অথবা আছে আমি আর আমরা আপনি এ এই এক একটি একজন এবং এর এটি এতে ও ওই কখন কত কারণ কি কিছু কিন্তু কী কীভাবে
        কে কেন কোথায় কোন কোনো করা করে করেন করতে ছিল ছিলেন জন্য তবে তা তার তাদের তাঁর তিনি তারা থেকে দিয়ে দ্বারা
        না নয় নিয়ে পর পর্যন্ত প্রতি বা বিভিন্ন মধ্যে যা যে যায় যার যখন যদি সঙ্গে সাথে সব সেই সে হয় হয়ে হয়েছে
        হবে হতে হয়েছিল""",
    "he": """אבל או אולי אחר אחרי אחרת איזה איזו אילו אין איך איפה אך אל אלה אלו אם אני אנחנו את אתה אתם בגלל בה בו
        בין בכל בלי גם היה הוא היא היו היתה הייתה הם הן הרבה זאת זה זו זהו יותר יש כאן כאשר כדי כולם כי כל כלל כמה
        כמו כן כפי לא לאחר לאן לה להם לו לכל לפי לפני מאוד מאין מה מהו מהי מי מדוע מתי מן מאשר נגד על עד עוד עם פי
        רק שבו שהוא שהיא של שלה שלהם שלו שם תחת""",
    "ko": """그 그것 그것은 그는 그녀 그녀는 그들 그들은 그리고 그러나 그런 그래서 것 것은 것이 누가 누구 누구의
        누구인가 누구입니까 는 대한 대해 되는 되었다 된 등 때 때문에 또는 또한 를 많은 모든 무슨 무엇 무엇을 무엇이
        무엇인가 무엇인가요 무엇입니까 및 수 어느 어디 어디에 어디에서 어디인가 어떤 어떻게 언제 얼마 얼마나 왜
        위해 은 을 의 이 이것 이다 이런 이를 이후 있는 있다 있습니까 있었다 에 에서 와 과 가 로 으로 저 제 중 통해
        하고 하나 하는 하지만 한 할 함께 합니까 했다""",
    "ja": """について における によって による に関する として ですか でしょうか とは ください ますか 何ですか
        どのような どのように どうやって どのくらい どれくらい どうして いくつ いくら どこで どこに どこの どこ
        だれ 誰が 誰の 誰 いつ なぜ 何が 何を 何の 何 なに なん どの どれ どう です ます ました でした ません
        である という から まで より その この あの それ これ ため こと もの など また および は が を に で と の
        も へ や か""",
    "zh": """哪座 哪条 哪部 哪本 哪家 哪场 哪次 哪届 哪支 哪只 哪首 哪所 哪项 哪类 第几 多高 多重 多远 多深 多快
        多宽 叫做 因为 由于 所以 但是 虽然 能够 曾经 已经 之后 之前 以后 以前 通过 根据 关于 对于 使得 以及 什么时候
        什麼時候 为什么 為什麼 什么样 什么 什麼 怎么样 怎麼樣 怎么 怎麼 怎样 怎樣 如何 为何 為何 哪一个 哪一年 哪一
        哪个 哪個 哪些 哪里 哪裡 哪裏 哪儿 哪年 哪位 哪种 哪 谁的 谁 誰 多少 几个 幾個 多久 多长 多大 何时 何時
        何处 是否 是什么 请问 請問 告诉我 能否 可以 或者 的 了 是 在 和 与 與 及 被 把 将 對 对 于 於 吗 嗎 呢
        吧 有 也 都 而 但 并 從 从 到 由 为 為 之 其 这 這 那 我 你 他 她 它 们 們""",
    "th": """อะไรบ้าง อะไร ที่ไหน ไหน เมื่อไหร่ เมื่อไร เมื่อใด เพราะอะไร ทำไม อย่างไร ยังไง เท่าไหร่ เท่าไร เท่าใด
        กี่ ใคร ใด หรือไม่ หรือ และ ของ ที่ เป็น คือ มี ได้ ให้ ใน จาก โดย กับ แก่ แต่ จะ ว่า นี้ นั้น ซึ่ง ถูก ก็
        ไม่ การ ความ""",
}

# Words of these stand without spaces between them: they are cut out of a query as strings, the longest first.
UNSPACED = frozenset({"ja", "zh", "th"})

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
