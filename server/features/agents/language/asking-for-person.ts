/** A contact or caller who says this wants a person, not a better answer. */
const askingForPerson = [
  /\b(human|person|operator|representative|someone real)\s*,?\s*please\b/i,
  /^\W*(a |an |the |real |live )*(human|person|operator|representative|agent)\W*$/i,
  /\b(real|live|actual) (human|person|agent|operator)\b/i,
  /\b(speak|talk|chat|connect me|put me through|transfer me|pass me)\b[^.?!]{0,20}\b(to|with)\b[^.?!]{0,15}\b(human|person|someone|somebody|agent|representative|operator|colleague|manager|staff)\b/i,
  /\b(get|want|need|give) (me )?(a |an )(human|person|operator|representative)\b/i,
  /\b(hablar|comunicarme|conectarme) con (una persona|un humano|un agente|alguien)\b/i,
  /\b(falar|conversar) com (uma pessoa|um humano|um atendente|alguém)/i,
  /\b(mit )?(einem|einen|einer) (menschen|mitarbeiter|mitarbeiterin|person) (sprechen|reden|verbinden)\b/i,
  /\b(parler|discuter) (à|avec) (une personne|un humain|un conseiller|quelqu'un)\b/i,
  /\bparlare con (una persona|un operatore|qualcuno)\b/i,
  /\b(bicara|ngobrol|berbicara) (dengan|sama) (orang|manusia|petugas|agen|cs)\b/i,
  /(इंसान|व्यक्ति|एजेंट|अधिकारी) से बात/,
  /(التحدث|أتحدث|اتحدث|أتكلم|التكلم) (مع|إلى|الى) (شخص|موظف|إنسان|انسان|أحد)/,
  /转人工|人工客服|真人客服|(找|跟|和)(真人|人工|客服)/,
  /(поговорить|связаться|соедините|соединить)[^.?!]{0,15}(с|со) (человеком|оператором|сотрудником|менеджером)/i,
  /(상담원|사람|담당자|직원)(과|와|이랑|하고|에게|한테)[^.?!]{0,6}(통화|연결|상담|얘기|이야기|대화)/,
  /(biriyle|bir insanla|bir yetkiliyle|temsilciyle|müşteri temsilcisiyle|yetkiliyle) (görüş|konuş)/i,
  /(人間|担当者|オペレーター|スタッフ)(と|に)(話|つない|代わ|繋)/,
]

export const wantsPerson = (heard: string): boolean =>
  heard.split('\n').some((line) => askingForPerson.some((pattern) => pattern.test(line)))
