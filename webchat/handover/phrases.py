"""Recognises messages that ask for a person, by a short list of phrases in each language of the page.

They offer a person beside the bot's reply and do nothing else, so a phrase that is missed costs the visitor one click.
"""

import re
import unicodedata

LONGEST = 160  # characters; longer messages are about something else

# "{who}" stands for the words of `_WHO`. Written as `_fold` returns them: lower case, without accents.
_WHO = {
    "en": r"(?:an? |the |some |your |any )?(?:real |live |actual |human )?"
    r"(?:person|human being|human|humans|people|someone|somebody|agent|advisor|adviser|representative|rep|operator|"
    r"employee|manager|supervisor|team member|member of staff|customer service|customer support|support team)",
    "de": r"(?:einem |einen |einer |eine |jemand |jemandem |ihrem |eurem |dem |der )?"
    r"(?:echten |echter |richtigen |menschlichen )?"
    r"(?:menschen|mensch|person|mitarbeiter|mitarbeiterin|mitarbeitenden|ansprechpartner|berater|beraterin|kundendienst|kundenservice|"
    r"jemandem|jemanden|support)",
    "fr": r"(?:a |avec )?(?:une? |un |le |votre |quelqu.un)? ?(?:vraie? |veritable )?"
    r"(?:personne|humain|etre humain|conseiller|conseillere|agent|employe|service client|quelqu.un|operateur)",
    "es": r"(?:con )?(?:una? |un |el |alguna? )?(?:verdader[oa] )?"
    r"(?:persona(?: real)?|humano|ser humano|agente|asesora?|empleado|operadora?|alguien|atencion al cliente)",
    "it": r"(?:con )?(?:una? |il |l.|qualche )?(?:ver[ao] )?(?:persona(?: reale| vera)?|umano|essere umano|operatore|"
    r"operatrice|consulente|responsabile|addetto|qualcuno|assistenza(?: clienti)?|servizio clienti)",
    "pt": r"(?:com )?(?:uma? |um |o |algum )?"
    r"(?:pessoa(?: real)?|humano|ser humano|atendente|assistente|agente|operadora?|funcionari[oa]|alguem|suporte|"
    r"atendimento humano)",
    "nl": r"(?:met )?(?:een |de |iemand van )?(?:echt[e]? )?"
    r"(?:persoon|mens|medewerker|iemand|klantenservice|adviseur|collega)",
    "pl": r"(?:z )?(?:zywym |prawdziwym |zywa |prawdziwa |jakims )?"
    r"(?:czlowiekiem|osoba|konsultantem|konsultantka|pracownikiem|doradca|kims|obsluga klienta)",
    "ar": r"(?:ال|ل)?(?:(?:شخص|إنسان|انسان|موظف|ممثل|مندوب|مسؤول)\w*|أحد|احد|حدا?|خدمة العملاء|دعم)",
}
_NOT_AFTER = r"(?! resources| rights| ressources|elle)\b"  # "talk to human resources" is about a department

_PHRASES = {
    "en": r"\b(?:talk|speak|chat|connect(?: me)?|put me through|get me through|transfer me|forward me|write) "
    r"(?:to|with) {who}|\b(?:get|give|find) me {who}|(?<!you )\b(?:want|need|prefer) {who}$|^(?:a )?{who},? please$|"
    r"^(?:real |live )?(?:human|person|agent|operator|representative)$|\bis (?:there|anyone|anybody) "
    r"(?:a real person|a human(?! resources)|there i can talk to)|"
    r"\bcan (?:someone|somebody|a human|a person) (?:call|contact|help) me|^can i (?:get|have) {who}$|"
    r"\b(?:connect me|talk|speak|chat) (?:to|with) (?:the |your )?support$|"
    r"^is (?:anyone|anybody|someone|somebody) there$|^are there (?:any )?(?:real )?(?:humans|people) here$|"
    r"\b(?:don't|do not) want to (?:talk|speak|chat) (?:to|with) (?:a |this )?(?:bot|robot|machine)$",
    "de": r"\bmit {who}\b.{{0,30}}\b(?:sprechen|reden|schreiben|chatten|verbinden|verbunden)|"
    r"\b(?:sprechen|reden|chatten|verbinden sie mich|verbinde mich) (?:bitte )?mit {who}|"
    r"\b(?:will|mochte|moechte) (?:mit )?keine[mn] bot(?: (?:reden|sprechen|schreiben|chatten))?$|"
    r"^echte person,?(?: bitte)?$|"
    r"^(?:echter |echten )?(?:mensch|mitarbeiter|kundendienst|kundenservice|berater|ansprechpartner)(?: bitte)?$|"
    r"\b(?:brauche|moechte|mochte|will|hatte gerne?) (?:bitte )?{who}$|\berreiche ich (?:hier )?{who}$|"
    r"\b(?:jemanden|einen (?:echten |richtigen )?(?:menschen|mitarbeiter|berater)) sprechen\b|^mitarbeiter sprechen$|"
    r"\bkann mich (?:bitte )?jemand (?:anrufen|zuruckrufen)|\brufen sie mich (?:bitte )?(?:an|zuruck)$|"
    r"\bgibt es hier (?:auch )?(?:einen )?echten? menschen|^ist (?:da|hier) (?:ein (?:echter )?mensch|jemand)$",
    "fr": r"\b(?:parler|discuter|echanger|m.adresser|en relation|contact) (?:directement )?(?:a |au |avec ){who}|"
    r"\b(?:contacter|joindre) {who}$|^(?:il )?y a-t-il quelqu.un(?: ici)?$|"
    r"\b(?:pouvez-vous|quelqu.un peut) (?:me rappeler|m.appeler)$|\bje (?:veux|voudrais|souhaite) etre rappelee?$|"
    r"\bpassez-moi {who}$|"
    r"\b(?:je veux|je voudrais|il me faut|puis-je avoir) {who}$|"
    r"^(?:un )?(?:vrai )?(?:humain|conseiller)(?: s.il vous plait| svp)?$",
    "es": r"\b(?:hablar|chatear|comunicarme|comunicame|comuniqueme|conectame|conecteme|pasame|paseme|pasarme|ponme|"
    r"pongame|contactar|me puedes? pasar) con {who}|\bme (?:puede|pueden|podeis) llamar(?: alguien)?$|"
    r"\bquiero que me llamen\b|^hay alguien(?: ahi| aqui)?$|^atencion al cliente$|"
    r"\b(?:quiero|necesito) {who}$|^(?:una? )?(?:humano|persona|agente)(?: por favor)?$",
    "it": r"\b(?:parlare|chattare|mett(?:ermi|etemi) in contatto|parlo) con {who}|\b(?:mi pass[ai]|passami) {who}$|"
    r"\b(?:voglio|vorrei|mi serve|ho bisogno di|c.e) {who}$|"
    r"^(?:una? )?(?:operatore|umano|persona (?:reale|vera)|assistenza clienti)(?: per favore)?$|"
    r"\bpuo (?:chiamarmi|contattarmi) qualcuno|\bmi puo (?:chiamare|contattare) qualcuno",
    "pt": r"\b(?:falar|conversar|falo|me (?:passe|passa|passar|transfira|transfere|transferir)) (?:com|para) {who}|"
    r"\b(?:alguem pode|podem) (?:me ligar|ligar-me)|^(?:tem|ha) alguem(?: ai| aqui)?$|"
    r"^atendimento humano$|"
    r"\b(?:quero|preciso de) {who}$|^(?:um )?(?:humano|atendente)(?: por favor)?$",
    "nl": r"\b(?:praten|spreken|chatten|doorverbinden|doorverbonden) met {who}|\bmet {who}\b.{{0,20}}"
    r"\b(?:praten|spreken|chatten|doorverbonden)|\b(?:ik wil|mag ik) {who}$|"
    r"\b(?:iemand|een (?:echt mens|mens|echt persoon|medewerker|adviseur)) spreken$|"
    r"^(?:een )?(?:echt mens|mens|medewerker)(?: graag| al(?:stu|sje)blieft)?$|\bverbind (?:me|mij) door|"
    r"\bcontact met {who}|\bkan iemand (?:me|mij) (?:terug)?bellen|\bis er (?:hier )?een echt(?: mens|e medewerker)|"
    r"\bkun(?:t u|nen jullie| je) (?:me|mij) (?:(?:terug)?bellen|doorverbinden)",
    "pl": r"\b(?:porozmawiac|rozmawiac|polacz|polacz mnie|polaczyc|pogadac|skontaktowac sie) {who}|"
    r"\b(?:poprosze|potrzebuje) (?:konsultant(?:a|ke)|czlowieka|pracownika)$|\b(?:kontakt|polaczenie|rozmowe) z {who}|"
    r"^(?:konsultant|czlowiek|obsluga klienta)(?: prosze)?$|^(?:kontakt |rozmowa )?z {who}(?: prosze)?$|"
    r"\bjest tu (?:jakis )?(?:zywy |prawdziwy )?(?:czlowiek|konsultant)|"
    r"\b(?:ktos moze|prosze) do mnie (?:za|od)dzwonic",
    "ar": r"(?:(?:التحدث|اتحدث|أتحدث|التكلم|اتكلم|أتكلم|الكلام|الحديث|احكي|أحكي|التواصل|اتواصل|أتواصل|"
    r"تحويلي|حولني|حولوني)\s+(?:مع|إلى|الى|على)|(?:اكلم|أكلم|مكالمة|محادثة))\s+{who}|(?:حولني|حولوني|وصلني)\s+(?:ل|ب){who}|"
    r"^(?:أريد |اريد )?(?:موظف(?: حقيقي)?|شخص حقيقي|خدمة العملاء)(?: من فضلك| لو سمحت)?$",
    "hi": r"(?:किसी |एक )?(?:इंसान|व्यक्ति|आदमी|एजेंट|प्रतिनिधि|कर्मचारी|किसी|ग्राहक सेवा|कस्टमर केयर) से "
    r"(?:बात|चैट|संपर्क)|(?:इंसान|एजेंट) चाहिए$|कोई मुझे (?:कॉल|फ़ोन|फोन) कर|^(?:इंसान|एजेंट|कस्टमर केयर)$|"
    r"\b(?:insaan|insan|agent|kisi|customer care) se baat",
    "ja": r"(?:人間|人|担当者?|オペレーター|オペレータ|スタッフ|係員|誰か|サポート)(?:の方|さん)?と(?:直接)?"
    r"(?:話|はな|チャット|連絡|やり取り|やりとり)|(?:人間|担当者?|オペレーター|オペレータ|スタッフ|係の人|サポート)(?:の方|さん)?"
    r"に(?:代わ|かわ|変わ|つな|繋|替わ|取り次)|(?:担当者?|オペレーター|スタッフ)(?:の方|さん)?を(?:呼|出)|"
    r"有人(?:対応|チャット|オペレーター)|^(?:オペレーター|担当者)(?:を)?(?:お願いします|希望)?$",
    "zh-hans": r"转(?:接)?(?:到)?(?:人工|客服|真人)|人工(?:客服|坐席|服务(?!费))|"
    r"^(?:请问)?有(?:没有)?(?:真人|人工|客服|人)(?:在)?(?:吗)?$|^(?:人工|客服|人)在吗$|"
    r"(?:和|跟|与|找)(?:一个|个|一位)?(?:真人|客服人员|工作人员|人工(?!智能))|(?:和|跟|与)(?:人|客服)(?:说话|聊|谈|对话|沟通)|"
    r"(?:联系|找|接|呼叫)(?:一下|个|你们的?)?客服|^(?:我要|我想要)?(?:人工|客服)$|^真人$",
}
_COMPILED = [
    re.compile(phrase.format(who=_WHO.get(language, "") + (_NOT_AFTER if language in _WHO else "")))
    for language, phrase in _PHRASES.items()
]


def asks_for_person(message: str) -> bool:
    """Return whether the message asks to talk to a person, in any of the languages."""
    if len(message) > LONGEST:
        return False
    folded = _fold(message)
    return any(phrase.search(folded) for phrase in _COMPILED)


def _fold(message: str) -> str:
    """Return it in lower case, without accents on Latin letters and without punctuation at the ends."""
    text = message.casefold().replace("ß", "ss").replace("ł", "l").replace("’", "'").strip(" .,!?¿¡…。！？؟।\"'")
    decomposed = unicodedata.normalize("NFD", text)
    latin = "".join(each for each in decomposed if not ("\u0300" <= each <= "\u036f"))
    return " ".join(unicodedata.normalize("NFC", latin).split())
