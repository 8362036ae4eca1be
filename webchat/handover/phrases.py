"""Recognises messages that ask for a person, by a short list of phrases in each language of the page.

They offer a person beside the bot's reply and do nothing else, so a phrase that is missed costs the visitor one click.
"""

import re
import unicodedata

LONGEST = 160  # characters; longer messages are about something else

# "{who}" stands for the words of `_WHO`. Written as `_fold` returns them: lower case, without accents.
_WHO = {
    "en": r"(?:real people|(?:an? |the |some |your |any )?(?:real |live |actual |human )*"
    r"(?:person|human being|human|humans|someone|somebody|anyone|agent|advisor|adviser|representative|rep|operator|"
    r"employee|colleague|manager|supervisor|team member|member of (?:the |your )?(?:staff|team)|customer service|"
    r"customer support|support team))",
    "de": r"(?:(?:einem |einen |einer |eine |jemand |jemandem |ihrem |eurem |dem |der )?"
    r"(?:echten |echter |richtigen |menschlichen )?(?:mensch|person|mitarbeiter|mitarbeiterin|mitarbeitenden|"
    r"ansprechpartner|berater|beraterin|kundendienst|kundenservice|jemandem|jemanden|support)|"
    r"(?:einem |einen )?(?:(?:echten|richtigen|einem|einen) )menschen|"
    r"(?:einem |einen |ihrem |eurem )(?:kollegen|chef|vorgesetzten))",
    "fr": r"(?:a |avec )?(?:une? |un |le |votre |quelqu.un)? ?(?:vraie? |veritable )?"
    r"(?:personne|humain|etre humain|conseiller|conseillere|agent|employe|service client|quelqu.un|operateur|"
    r"membre de (?:l.|votre )equipe|responsable|collegue)",
    "es": r"(?:con )?(?:una? |un |el |alguna? )?(?:verdader[oa] )?"
    r"(?:persona(?: real)?|humano|ser humano|agente|asesora?|empleado|operadora?|alguien|atencion al cliente|"
    r"encargad[oa]|supervisora?|responsable|soporte)",
    "it": r"(?:con )?(?:una? |il |l.|qualche )?(?:ver[ao] )?(?:persona(?: reale| vera)?|umano|essere umano|operatore|"
    r"operatrice|consulente|responsabile|addetto|qualcuno|assistenza(?: clienti)?|servizio clienti)",
    "pt": r"(?:com )?(?:uma? |um |o |algum )?"
    r"(?:pessoa(?: real)?|humano|ser humano|atendente|assistente|agente|operadora?|funcionari[oa]|alguem|suporte|"
    r"atendimento humano)",
    "nl": r"(?:met )?(?:een |de |iemand van )?(?:echt[e]? )?"
    r"(?:persoon|mens|medewerker|iemand|klantenservice|adviseur|collega)",
    "pl": r"(?:z )?(?:zywym |prawdziwym |zywa |prawdziwa |jakims )?"
    r"(?:czlowiekiem|osoba|konsultantem|konsultantka|pracownikiem|doradca|kims|obsluga klienta)",
    "ar": r"(?:ال|ل)?(?:(?:شخص|إنسان|انسان|موظف|ممثل|مندوب|مسؤول|مدير(?!ي))\w*|أحد|احد|حدا?|خدمة العملاء|دعم)",
}
# "Talk to human resources" is about a department, "a person's rights" about rights.
_NOT_AFTER = r"(?! resources| rights| ressources|elle|'s| else')\b"

_PHRASES = {
    "en": r"\b(?:talk|speak|chat|connect(?: me)?|put me through|get me through|put me in touch|transfer me|forward me|"
    r"(?:hand|pass) me(?: over| on)?) (?:to|with) {who}|\b(?:get|give|find) me {who}|(?<!you )\b(?:want|need|"
    r"prefer) {who}$|^(?:a )?{who},? please$|"
    r"^(?:real |live )?(?:human|person|agent|operator|representative)$|\bis (?:there|anyone|anybody) "
    r"(?:a real person|a human(?! resources)|there i can talk to)|"
    r"\bis there {who} (?:here )?(?:that |who )?(?:i can|to) (?:talk|speak|chat)\b|"
    r"\b(?:can|could|please have) (?:someone|somebody|a human|a person)(?: from (?:the |your )?\w+)? (?:please )?"
    r"(?:call|phone|contact|help) me|^(?:can i (?:get|have)|how (?:can|do) i reach) {who}(?: here)?$|"
    r"\b(?:connect me|talk|speak|chat) (?:to|with) (?:the |your )?support$|"
    r"^is (?:anyone|anybody|someone|somebody) there$|^are there (?:any )?(?:real )?(?:humans|people) here$|"
    r"\b(?:don't|do not) want to (?:talk|speak|chat) (?:to|with) (?:a |this )?(?:bot|robot|machine)$",
    "de": r"\bmit {who}\b.{{0,30}}\b(?:sprechen|reden|schreiben|chatten|verbinden|verbunden)|"
    r"\b(?:sprechen|reden|chatten|verbinden sie mich|verbinde mich) (?:bitte )?mit {who}|"
    r"\b(?:will|mochte|moechte) (?:mit )?keine[mn] bot(?: (?:reden|sprechen|schreiben|chatten))?$|"
    r"^echte person,?(?: bitte)?$|"
    r"^(?:echter |echten |menschlicher )?(?:mensch|mitarbeiter|kundendienst|kundenservice|berater|"
    r"ansprechpartner)(?: bitte)?$|"
    r"\b(?:brauche|moechte|mochte|will|hatte gerne?) (?:bitte )?{who}$|\berreiche ich (?:hier )?{who}$|"
    r"\b(?:jemanden|einen (?:echten |richtigen )?(?:menschen|mitarbeiter|berater|kollegen))(?: von ihnen)? sprechen\b|"
    r"\bgeben sie mir {who}$|\bweiterleiten an {who}$|\ban {who} weiter(?:leiten|geben)|^live-?chat mit {who}$|"
    r"^mitarbeiter sprechen$|"
    r"\bkann mich (?:bitte )?jemand (?:anrufen|zuruckrufen)|\brufen sie mich (?:bitte )?(?:an|zuruck)$|"
    r"\bgibt es hier (?:auch )?(?:einen )?echten? menschen|^ist (?:da|hier) (?:ein (?:echter )?mensch|jemand)$",
    "fr": r"\b(?:parler|discuter|echanger|m.adresser|en relation|contact) (?:directement )?(?:a |au |avec ){who}|"
    r"\b(?:contacter|joindre) {who}$|^(?:y a-t-il|il y a|est-ce qu.il y a) (?:quelqu.un|un (?:vrai )?humain|"
    r"une vraie personne)(?: ici)?$|"
    r"\bne veux pas (?:parler|discuter) (?:a|avec) (?:un|une|ce) (?:robot|bot|machine)$|\btransferez-moi a {who}|"
    r"\b(?:pouvez-vous|quelqu.un peut) (?:me rappeler|m.appeler)$|\bje (?:veux|voudrais|souhaite) etre rappelee?$|"
    r"\bpassez-moi {who}$|"
    r"\b(?:je veux|je voudrais|il me faut|puis-je avoir) {who}$|"
    r"^(?:un )?(?:vrai )?(?:humain|conseiller)(?: s.il vous plait| svp)?$",
    "es": r"\b(?:hablar|chatear|comunicarme|comunicame|comuniqueme|conectame|conecteme|pasame|paseme|pasarme|ponme|"
    r"pongame|contactar|me puedes? pasar) con {who}|\bme (?:puede|pueden|podeis) llamar(?: alguien)?$|"
    r"\bque me llame(?:n|\b)|\bno quiero hablar con (?:una? |este )(?:robot|bot|maquina)$|"
    r"\btransfi[ae]r[ae]me a {who}|\bme (?:puede|podria) atender {who}$|^hay alguien(?: ahi| aqui)?$|"
    r"^atencion al cliente$|"
    r"\b(?:quiero|necesito) {who}$|^(?:una? )?(?:humano|persona(?: real)?|agente),?(?: por favor)?$",
    "it": r"\b(?:parlare|chattare|mett(?:ermi|etemi) in contatto|parlo) con {who}|\b(?:mi pass[ai]|passami) {who}$|"
    r"\b(?:voglio|vorrei|mi serve|ho bisogno di|c.e) {who}$|"
    r"^(?:una? )?(?:operatore|umano|persona (?:reale|vera)|assistenza clienti)(?: per favore)?$|"
    r"\bpuo (?:chiamarmi|contattarmi) qualcuno|\bmi puo (?:chiamare|contattare) qualcuno|^potete (?:ri)?chiamarmi$|"
    r"\bmi mett[ae] in contatto con {who}|\bnon voglio parlare con (?:un |una |questo )(?:bot|robot|macchina)$",
    "pt": r"\b(?:falar|conversar|falo|me (?:passe|passa|passar|transfira|transfere|transferir)) (?:com|para) {who}|"
    r"\b(?:alguem pode|podem) (?:me ligar|ligar-me)|^(?:tem|ha) alguem(?: ai| aqui)?$|"
    r"^atendimento humano$|\bnao quero (?:falar|conversar) com (?:uma? |este )(?:bot|robo|maquina)$|"
    r"\b(?:quero|preciso de) {who}$|^(?:um )?(?:humano|atendente)(?: por favor)?$",
    "nl": r"\b(?:praten|spreken|chatten|doorverbinden|doorverbonden) met {who}|\bmet {who}\b.{{0,20}}"
    r"\b(?:praten|spreken|chatten|doorverbonden)|\b(?:ik wil|mag ik) {who}$|"
    r"\b(?:iemand|een (?:echt mens|mens|echt persoon|medewerker|adviseur)) spreken$|"
    r"^(?:een )?(?:echt mens|mens|medewerker)(?: graag| aub| al(?:stu|sje)blieft)?$|\bverbind (?:me|mij) door|"
    r"\bcontact met {who}|\bkan iemand (?:me|mij) (?:terug)?bellen|\bis er (?:hier )?een echt(?: mens|e medewerker)|"
    r"\bkun(?:t u|nen jullie| je) (?:me|mij) (?:(?:terug)?bellen|doorverbinden)|^is (?:er|hier) iemand$|"
    r"\bmag ik {who} aan de lijn|\bwil niet met (?:een |deze )(?:bot|robot|machine) (?:praten|chatten)$",
    "pl": r"\b(?:porozmawiac|rozmawiac|polacz|polacz mnie|polaczyc(?: mnie)?|pogadac|skontaktowac sie) {who}|"
    r"\b(?:poprosze|potrzebuje) (?:konsultant(?:a|ke)|czlowieka|pracownika)$|\b(?:kontakt|polaczenie|rozmowe) z {who}|"
    r"^(?:konsultant|czlowiek|obsluga klienta)(?: prosze)?$|^(?:kontakt |rozmowa )?z {who}(?: prosze)?$|"
    r"\bjest tu (?:jakis )?(?:zywy |prawdziwy )?(?:czlowiek|konsultant)|"
    r"\b(?:ktos moze|prosze) do mnie (?:za|od)dzwonic|^jest (?:tam|tu) ktos$|"
    r"\bnie chce rozmawiac z (?:botem|robotem|maszyna)$",
    "ar": r"(?:(?:التحدث|اتحدث|أتحدث|التكلم|اتكلم|أتكلم|الكلام|الحديث|احكي|أحكي|التواصل|اتواصل|أتواصل|"
    r"تحويلي|حولني|حولوني)\s+(?:مع|إلى|الى|على)|(?:اكلم|أكلم|مكالمة|محادثة))\s+{who}|(?:حولني|حولوني|وصلني)\s+(?:ل|"
    r"ب){who}|"
    r"^هل (?:يوجد|هناك) (?:شخص|إنسان|انسان|موظف|أحد|احد)(?: حقيقي)?(?: هنا)?$|^اتصلوا بي(?: من فضلكم)?$|"
    r"^لا (?:أريد|اريد) (?:التحدث|التكلم) (?:مع|إلى|الى) (?:روبوت|بوت|آلة)$|(?:لأحد|لاحد) (?:الاتصال|أن يتصل) بي$|"
    r"^(?:أريد |اريد )?(?:موظف(?: حقيقي)?|شخص حقيقي|خدمة العملاء)(?: من فضلك| لو سمحت)?$",
    "hi": r"(?:किसी |एक )?(?:इंसान|व्यक्ति|आदमी|एजेंट|प्रतिनिधि|कर्मचारी|किसी|ग्राहक सेवा|कस्टमर केयर) से "
    r"(?:बात|चैट|संपर्क)|(?:इंसान|एजेंट) चाहिए$|कोई मुझे (?:कॉल|फ़ोन|फोन) कर|^(?:इंसान|एजेंट|कस्टमर केयर)$|^कोई है$|"
    r"(?:बॉट|रोबोट|मशीन) से बात नहीं करन|"
    r"\b(?:insaan|insan|agent|kisi|customer care) se baat",
    "ja": r"(?:(?<![なのいるはがた国語])人|人間|担当者?|オペレーター?|スタッフ|係員|誰か|サポート|本物の人)(?:の方|"
    r"さん)?(?:と|に)(?:直接|お)?"
    r"(?:(?:話|はな)(?:し?たい|したいの|せますか|せませんか|させて|をしたい|がしたい)|チャット(?:したい|できますか|"
    r"をしたい)|"
    r"連絡(?:したい|を?取りたい|できますか)|やり取りしたい|やりとりしたい)|"
    r"(?:人間|(?<![なのいるはがた国語])人|担当者?|オペレーター?|スタッフ|係の人|サポート)(?:の方|さん)?"
    r"に(?:代わ|かわ|変わ|つな|繋|接続し|替わ|取り次)|(?:担当者?|オペレーター|スタッフ)(?:の方|さん)?を(?:呼|出)|"
    r"有人(?:対応|チャット|オペレーター)|^(?:人間の)?(?:オペレーター|担当者)(?:を)?(?:お願いします|希望(?:します)?)?$|"
    r"(?:ボット|ロボット)とは?話したくない|^誰かいますか$|(?:本物の)?人間?はいますか$|"
    r"^(?:折り返し)?(?:お)?電話を(?:ください|お願いします)$",
    "zh-hans": r"转(?:接)?(?:到)?(?:人工|客服|真人)|人工(?:客服|坐席|服务(?!费))|"
    r"^(?:请问)?有(?:没有)?(?:真人|人工|客服|人)(?:在)?(?:吗)?$|^(?:人工|客服|人)在吗$|"
    r"(?:和|跟|与|找)(?:一个|个|一位)?(?:真人|客服人员|工作人员|人工(?!智能))|(?:和|跟|与)(?:人|客服)(?:说话|聊|谈|"
    r"对话|沟通)|"
    r"(?:联系|找|接|呼叫)(?:一下|个|你们的?)?客服|^(?:我要|我想要)?(?:人工|客服)$|^真人$|"
    r"不想(?:和|跟|与)(?:机器人|机器)(?:说话|聊|谈|对话)|^(?:请)?给我(?:回|打)电话$|让(?:客服|人)联系我",
}
# Questions about talking to people, such as what is allowed, or about somebody else who talks: they ask for nobody.
_ASKS_ABOUT = {
    "en": r"^(?:should |(?:do|did|am) i |why (?:do|must|should) i |how (?:many|much|often|.*person with) |"
    r"(?:do|does|did|are|is|was|would|will|can|could|may) "
    r"(?!(?:i|we|you|someone|somebody|anyone|anybody|there|it (?:be )?possible|an?|the|real) )|"
    r"what if |(?:what|which|when|why|who)\b(?!.*\bi\b|.* way ))|(?<!a )\b(?:while|whilst|during)\b|"
    r"\b(?:my|our|his|her|their) \w+ (?:to|won't|can't|doesn't|refuses to) (?:talk|speak|chat)",
    "de": r"^(?:ist es (?!moglich)|muss ich|soll|ab wann|wann (?!kann ich)|warum muss|wie viele|welche|was kostet|mein|"
    r"(?:kann|konnen|darf|durfen|wird|werden|mussen) (?!(?:ich|wir|sie|ihr|du|mich|mir|man mich|jemand|bitte)\b))|"
    r"\b(?:wahrend|beim)\b",
    "fr": r"^(?:est-il |est-ce (?!qu|possible)|faut-il |doit-on |dois-je |combien|quand (?!puis-je)|"
    r"pourquoi (?:dois-je|faut-il)|comment parler a (?:.* qui|une personne (?!reelle|d[eu] |au |ici)\w)|mon |ma |les )|"
    r"\b(?:pendant|en (?!attendant)\w+ant)\b",
    "es": r"^(?:cuant|es (?!posible)|esta (?:permitido|prohibido)|debo|hay que|por que (?:tengo|hay|debo)|los |las |"
    r"mi |como hablar con una persona \w)|\b(?:mientras|durante)\b",
    "it": r"^(?:e (?:permesso|vietato|obbligatorio|necessario)|devo|quant|mi[oa] |i |il corso |perche (?!non)|"
    r"quando (?!posso)|come .*parlare con una persona (?!reale|vera|de[li]|al |qui)\w)|\b(?:mentre|durante)\b",
    "pt": r"^(?:e (?:permitido|proibido|obrigatorio|necessario)|devo|quant|meu |minha |os |por ?que (?!nao)|"
    r"quando (?!posso)|como .*com uma pessoa (?!real|d[aeo] |por |aqui)\w)|\b(?:enquanto|durante)\b",
    "nl": r"^(?:mag (?:je|men)|moet |hoeveel|mijn |waarom (?!kan)|is het (?!mogelijk)|"
    r"(?:hoe|wanneer) (?!(?:kan|kom|krijg|mag) ik)|kun je met|kan (?:een|mijn|men) )|\b(?:terwijl|tijdens)\b",
    "pl": r"^(?:czy (?:wolno|trzeba|musze|pies|(?:moj|moja|kierowca|dziecko) )|ile |moj|moja |dlaczego (?!nie)|"
    r"jak .*z osoba (?!z |od )\w)|\bpodczas\b",
    "ar": r"^(?:لماذا يجب|هل (?:يجوز|يجب|يسمح|يمكن لل)|كم |ابني|ابنتي|كيف .*شخص \S)|أثناء|اثناء|خلال",
    "hi": r"^(?:मेरा|मेरी|कितने) |समय|दौरान|ज़रूरी|जरूरी|अनुमति|क्यों(?! नहीं)|कितना|मना है|ठीक है$|(?:बहरे|बीमार|वाले) व्यक्ति से",
    "zh-hans": r"^(?:必须|我的?孩子|多少|为什么(?!不)|(?:如何|怎样|怎么)(?:和|跟|与)人(?!工))|"
    r"(?:(?<![这哪])里|(?<!什么)时候?|期间)(?:可以|能|允许)|(?:人工|客服)[^，。,]{0,6}(?:时间|几点|多少|收费|费用)",
}
_NOTHING = r"(?!)"
_COMPILED = [
    (
        re.compile(phrase.format(who=_WHO.get(language, "") + (_NOT_AFTER if language in _WHO else ""))),
        re.compile(_ASKS_ABOUT.get(language, _NOTHING)),
    )
    for language, phrase in _PHRASES.items()
]


def asks_for_person(message: str) -> bool:
    """Return whether the message asks to talk to a person, in any of the languages."""
    if len(message) > LONGEST:
        return False
    folded = _fold(message)
    return any(phrase.search(folded) and not about.search(folded) for phrase, about in _COMPILED)


def _fold(message: str) -> str:
    """Return it in lower case, without accents on Latin letters and without punctuation at the ends."""
    text = message.casefold().replace("ß", "ss").replace("ł", "l").replace("’", "'").strip(" .,!?¿¡…。！？؟।\"'")
    decomposed = unicodedata.normalize("NFD", text)
    latin = "".join(each for each in decomposed if not ("\u0300" <= each <= "\u036f"))
    return " ".join(unicodedata.normalize("NFC", latin).split())
