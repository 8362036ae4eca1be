"""The bot's own sentences in the language of the documents, or in English."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Phrases:
    """What the bot says in its own words; everything else is quoted."""

    source: str
    unsure: str  # before the closest passages
    unknown: str
    hello: str
    welcome: str  # after thanks
    goodbye: str
    about_me: str
    topics: str  # before the titles of the documents, if there are few


_PHRASES = {
    "en": Phrases(
        source="Source",
        unsure="I'm not sure. The closest passages are:",
        unknown="I don't know: I found nothing about this in my documents. Other words may help.",
        hello="Hello! What would you like to know?",
        welcome="You're welcome!",
        goodbye="Goodbye!",
        about_me="I'm a chatbot: I answer questions from my documents and name the source.",
        topics="They are about:",
    ),
    "de": Phrases(
        source="Quelle",
        unsure="Genau weiß ich es nicht. Am nächsten kommen diese Stellen:",
        unknown="Das weiß ich nicht: Dazu steht in meinen Dokumenten nichts. Vielleicht helfen andere Wörter.",
        hello="Hallo! Was möchten Sie wissen?",
        welcome="Gern geschehen!",
        goodbye="Auf Wiedersehen!",
        about_me="Ich bin ein Chatbot: Ich beantworte Fragen aus meinen Dokumenten und nenne die Quelle.",
        topics="Es geht darin um:",
    ),
    "fr": Phrases(
        source="Source",
        unsure="Je n'en suis pas certain. Les passages les plus proches sont :",
        unknown="Je ne sais pas : je n'ai rien trouvé à ce sujet dans mes documents. Essayez avec d'autres mots.",
        hello="Bonjour ! Que souhaitez-vous savoir ?",
        welcome="Je vous en prie !",
        goodbye="Au revoir !",
        about_me="Je suis un chatbot : je réponds aux questions à partir de mes documents et j'indique la source.",
        topics="Ils traitent de :",
    ),
    "es": Phrases(
        source="Fuente",
        unsure="No lo sé con certeza. Los pasajes más cercanos son:",
        unknown="No lo sé: no encuentro nada sobre esto en mis documentos. Quizá ayuden otras palabras.",
        hello="¡Hola! ¿Qué le gustaría saber?",
        welcome="¡De nada!",
        goodbye="¡Hasta luego!",
        about_me="Soy un chatbot: respondo preguntas a partir de mis documentos e indico la fuente.",
        topics="Tratan de:",
    ),
    "pt": Phrases(
        source="Fonte",
        unsure="Não tenho certeza. Os trechos mais próximos são:",
        unknown="Não sei: não encontrei nada sobre isso nos meus documentos. Talvez outras palavras ajudem.",
        hello="Olá! O que gostaria de saber?",
        welcome="De nada!",
        goodbye="Até logo!",
        about_me="Sou um chatbot: respondo a perguntas a partir dos meus documentos e indico a fonte.",
        topics="Eles tratam de:",
    ),
    "it": Phrases(
        source="Fonte",
        unsure="Non ne sono sicuro. I passaggi più vicini sono:",
        unknown="Non lo so: non ho trovato nulla al riguardo nei miei documenti. Forse altre parole aiutano.",
        hello="Ciao! Che cosa desidera sapere?",
        welcome="Prego!",
        goodbye="Arrivederci!",
        about_me="Sono un chatbot: rispondo alle domande in base ai miei documenti e indico la fonte.",
        topics="Trattano di:",
    ),
    "nl": Phrases(
        source="Bron",
        unsure="Dat weet ik niet zeker. Deze passages komen het dichtst in de buurt:",
        unknown="Dat weet ik niet: ik heb hierover niets gevonden in mijn documenten. Misschien helpen andere woorden.",
        hello="Hallo! Wat wilt u weten?",
        welcome="Graag gedaan!",
        goodbye="Tot ziens!",
        about_me="Ik ben een chatbot: ik beantwoord vragen uit mijn documenten en noem de bron.",
        topics="Ze gaan over:",
    ),
    "pl": Phrases(
        source="Źródło",
        unsure="Nie mam pewności. Najbliższe fragmenty to:",
        unknown="Nie wiem: nic o tym nie znalazłem w moich dokumentach. Może pomogą inne słowa.",
        hello="Dzień dobry! O co chcesz zapytać?",
        welcome="Nie ma za co!",
        goodbye="Do widzenia!",
        about_me="Jestem chatbotem: odpowiadam na pytania na podstawie moich dokumentów i podaję źródło.",
        topics="Dotyczą one:",
    ),
    "ru": Phrases(
        source="Источник",
        unsure="Точно не знаю. Ближе всего эти фрагменты:",
        unknown="Я не знаю: в моих документах об этом ничего не нашлось. Попробуйте другие слова.",
        hello="Здравствуйте! Что вы хотите узнать?",
        welcome="Пожалуйста!",
        goodbye="До свидания!",
        about_me="Я чат-бот: отвечаю на вопросы по своим документам и называю источник.",
        topics="Они о следующем:",
    ),
    "uk": Phrases(
        source="Джерело",
        unsure="Точно не знаю. Найближчі фрагменти:",
        unknown="Я не знаю: у моїх документах про це нічого не знайшлося. Спробуйте інші слова.",
        hello="Вітаю! Що ви хочете дізнатися?",
        welcome="Будь ласка!",
        goodbye="До побачення!",
        about_me="Я чат-бот: відповідаю на запитання за своїми документами й називаю джерело.",
        topics="Вони про таке:",
    ),
    "el": Phrases(
        source="Πηγή",
        unsure="Δεν είμαι σίγουρος. Τα πιο κοντινά αποσπάσματα είναι:",
        unknown="Δεν γνωρίζω: δεν βρήκα τίποτα γι' αυτό στα έγγραφά μου. Ίσως βοηθήσουν άλλες λέξεις.",
        hello="Γεια σας! Τι θα θέλατε να μάθετε;",
        welcome="Παρακαλώ!",
        goodbye="Αντίο!",
        about_me="Είμαι ένα chatbot: απαντώ σε ερωτήσεις από τα έγγραφά μου και αναφέρω την πηγή.",
        topics="Αφορούν:",
    ),
    "ro": Phrases(
        source="Sursă",
        unsure="Nu sunt sigur. Cele mai apropiate pasaje sunt:",
        unknown="Nu știu: nu am găsit nimic despre asta în documentele mele. Poate ajută alte cuvinte.",
        hello="Bună ziua! Ce doriți să aflați?",
        welcome="Cu plăcere!",
        goodbye="La revedere!",
        about_me="Sunt un chatbot: răspund la întrebări din documentele mele și indic sursa.",
        topics="Ele sunt despre:",
    ),
    "sv": Phrases(
        source="Källa",
        unsure="Jag är inte säker. De närmaste avsnitten är:",
        unknown="Jag vet inte: jag hittade inget om detta i mina dokument. Kanske hjälper andra ord.",
        hello="Hej! Vad vill du veta?",
        welcome="Varsågod!",
        goodbye="Hej då!",
        about_me="Jag är en chattbot: jag svarar på frågor ur mina dokument och anger källan.",
        topics="De handlar om:",
    ),
    "tr": Phrases(
        source="Kaynak",
        unsure="Emin değilim. En yakın bölümler şunlar:",
        unknown="Bilmiyorum: Belgelerimde bununla ilgili bir şey bulamadım. Başka sözcükler deneyebilirsiniz.",
        hello="Merhaba! Ne öğrenmek istersiniz?",
        welcome="Rica ederim!",
        goodbye="Hoşça kalın!",
        about_me="Ben bir sohbet botuyum: Soruları belgelerimden yanıtlar ve kaynağı belirtirim.",
        topics="Konuları şunlar:",
    ),
    "vi": Phrases(
        source="Nguồn",
        unsure="Tôi không chắc. Các đoạn gần nhất là:",
        unknown="Tôi không biết: tôi không tìm thấy gì về điều này trong tài liệu. Bạn hãy thử từ khác.",
        hello="Xin chào! Bạn muốn biết điều gì?",
        welcome="Không có gì!",
        goodbye="Tạm biệt!",
        about_me="Tôi là chatbot: tôi trả lời câu hỏi dựa trên tài liệu của mình và nêu nguồn.",
        topics="Tài liệu nói về:",
    ),
    "ar": Phrases(
        source="المصدر",
        unsure="لا أعرف على وجه اليقين. أقرب المقاطع هي:",
        unknown="لا أعرف: لم أجد شيئًا عن هذا في مستنداتي. قد تساعد كلمات أخرى.",
        hello="مرحبًا! ماذا تود أن تعرف؟",
        welcome="على الرحب والسعة!",
        goodbye="إلى اللقاء!",
        about_me="أنا روبوت محادثة: أجيب عن الأسئلة من مستنداتي وأذكر المصدر.",
        topics="وهي عن:",
    ),
    "hi": Phrases(
        source="स्रोत",
        unsure="मुझे ठीक से नहीं पता। सबसे नज़दीकी अंश ये हैं:",
        unknown="मुझे नहीं पता: मेरे दस्तावेज़ों में इस बारे में कुछ नहीं मिला। दूसरे शब्दों से पूछकर देखें।",
        hello="नमस्ते! आप क्या जानना चाहेंगे?",
        welcome="आपका स्वागत है!",
        goodbye="अलविदा!",
        about_me="मैं एक चैटबॉट हूँ: मैं अपने दस्तावेज़ों से सवालों के जवाब देता हूँ और स्रोत बताता हूँ।",
        topics="इनके विषय हैं:",
    ),
    "ja": Phrases(
        source="出典",
        unsure="確かではありません。最も近い箇所は次のとおりです:",
        unknown="わかりません。手元の文書にはこれについての記述が見つかりませんでした。別の言葉でお試しください。",
        hello="こんにちは。何をお知りになりたいですか?",
        welcome="どういたしまして。",
        goodbye="さようなら。",
        about_me="私はチャットボットです。手元の文書をもとに質問に答え、出典を示します。",
        topics="文書の内容:",
    ),
    "zh": Phrases(
        source="来源",
        unsure="我没有找到确切的答案。最接近的段落是：",
        unknown="我不知道：我的文档里没有找到相关内容。可以换个说法再试试。",
        hello="你好！你想了解什么？",
        welcome="不客气！",
        goodbye="再见！",
        about_me="我是聊天机器人：我根据自己的文档回答问题，并注明来源。",
        topics="文档的内容：",
    ),
    "ko": Phrases(
        source="출처",
        unsure="확실하지 않습니다. 가장 가까운 부분은 다음과 같습니다:",
        unknown="모르겠습니다. 제 문서에서 이에 대한 내용을 찾지 못했습니다. 다른 말로 물어봐 주세요.",
        hello="안녕하세요! 무엇을 알고 싶으신가요?",
        welcome="천만에요!",
        goodbye="안녕히 가세요!",
        about_me="저는 챗봇입니다. 제 문서를 바탕으로 질문에 답하고 출처를 밝힙니다.",
        topics="문서의 주제:",
    ),
    "th": Phrases(
        source="แหล่งที่มา",
        unsure="ไม่แน่ใจ ข้อความที่ใกล้เคียงที่สุดคือ:",
        unknown="ไม่ทราบ ไม่พบข้อมูลเรื่องนี้ในเอกสาร ลองใช้คำอื่นดู",
        hello="สวัสดี! อยากทราบเรื่องอะไร?",
        welcome="ด้วยความยินดี!",
        goodbye="ลาก่อน!",
        about_me="ฉันเป็นแชตบอต ตอบคำถามจากเอกสารของฉันและบอกแหล่งที่มา",
        topics="เอกสารเกี่ยวกับ:",
    ),
}


def phrases(language: str) -> Phrases:
    """The sentences in the language with this ISO 639-1 code."""
    return _PHRASES.get(language, _PHRASES["en"])
