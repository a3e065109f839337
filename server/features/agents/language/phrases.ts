import { primaryLanguage } from '../../../platform/primary-language.ts'

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

export interface Lines {
  /** In chat: a call has a phrase for it. */
  handoff: string
  /** The answer to a greeting where the agent has no welcome message. */
  greeting: string
  /** The knowledge base has no answer. */
  notFound: string
  welcome: string
  closing: string
  /** Before the name of a document, and before the number of its page. */
  source: string
  accordingTo: string
  page: string
  fallback: string
  /** The button that opens a list of choices; at most 20 characters. */
  choose: string
}

const english: Lines = {
  greeting: 'Hello, how can I help you?',
  notFound: 'I did not find anything about that in the knowledge base. Shall I get a person for you?',
  welcome: 'You are welcome.',
  closing: 'Goodbye.',
  source: 'Source:',
  accordingTo: 'According to',
  page: 'page',
  handoff: 'I am getting a person for you.',
  fallback: 'Sorry, I did not understand that.',
  choose: 'Choose',
}

/** What an agent says by itself in chat and on calls. What only calls need is in `calls/conversation/default-phrases.ts`. */
const lines: Record<string, Lines> = {
  en: english,
  es: {
    greeting: 'Hola, ¿en qué puedo ayudarle?',
    notFound: 'No he encontrado nada sobre eso en la base de conocimientos. ¿Quiere que le pase con una persona?',
    welcome: 'De nada.',
    closing: 'Adiós.',
    source: 'Fuente:',
    accordingTo: 'Según',
    page: 'página',
    handoff: 'Le paso con una persona.',
    fallback: 'Disculpe, no le he entendido.',
    choose: 'Elegir',
  },
  pt: {
    greeting: 'Olá, como posso ajudar?',
    notFound: 'Não encontrei nada sobre isso na base de conhecimento. Quer que eu chame uma pessoa?',
    welcome: 'De nada.',
    closing: 'Até logo.',
    source: 'Fonte:',
    accordingTo: 'De acordo com',
    page: 'página',
    handoff: 'Vou chamar uma pessoa para ajudar.',
    fallback: 'Desculpe, não entendi.',
    choose: 'Escolher',
  },
  de: {
    greeting: 'Guten Tag, wie kann ich Ihnen helfen?',
    notFound: 'Dazu habe ich in der Wissensdatenbank nichts gefunden. Soll ich jemanden für Sie holen?',
    welcome: 'Gern geschehen.',
    closing: 'Auf Wiedersehen.',
    source: 'Quelle:',
    accordingTo: 'Laut',
    page: 'Seite',
    handoff: 'Ich hole jemanden für Sie.',
    fallback: 'Entschuldigung, das habe ich nicht verstanden.',
    choose: 'Auswählen',
  },
  fr: {
    greeting: 'Bonjour, comment puis-je vous aider ?',
    notFound:
      'Je n’ai rien trouvé à ce sujet dans la base de connaissances. Voulez-vous que je vous passe une personne ?',
    welcome: 'Je vous en prie.',
    closing: 'Au revoir.',
    source: 'Source :',
    accordingTo: 'Selon',
    page: 'page',
    handoff: 'Je vous passe une personne.',
    fallback: 'Désolé, je n’ai pas compris.',
    choose: 'Choisir',
  },
  it: {
    greeting: 'Salve, come posso aiutarla?',
    notFound:
      'Non ho trovato nulla al riguardo nella base di conoscenza. Vuole che la metta in contatto con una persona?',
    welcome: 'Prego.',
    closing: 'Arrivederci.',
    source: 'Fonte:',
    accordingTo: 'Secondo',
    page: 'pagina',
    handoff: 'La metto in contatto con una persona.',
    fallback: 'Mi scusi, non ho capito.',
    choose: 'Scegli',
  },
  id: {
    greeting: 'Halo, ada yang bisa saya bantu?',
    handoff: 'Kami hubungkan Anda dengan tim kami.',
    fallback: 'Maaf, saya belum mengerti.',
    choose: 'Pilih',
    notFound: 'Saya tidak menemukan informasi tentang itu di basis pengetahuan. Perlukah saya panggilkan petugas?',
    welcome: 'Sama-sama.',
    closing: 'Sampai jumpa.',
    source: 'Sumber:',
    accordingTo: 'Menurut',
    page: 'halaman',
  },
  hi: {
    greeting: 'नमस्ते, मैं आपकी क्या मदद कर सकता हूँ?',
    handoff: 'आपकी बात हमारी टीम से करवाई जा रही है।',
    fallback: 'माफ़ कीजिए, यह बात समझ में नहीं आई।',
    choose: 'चुनें',
    notFound: 'मुझे इसके बारे में जानकारी नहीं मिली। क्या मैं आपकी बात किसी व्यक्ति से करवाऊँ?',
    welcome: 'आपका स्वागत है।',
    closing: 'नमस्ते।',
    source: 'स्रोत:',
    accordingTo: 'इसके अनुसार,',
    page: 'पृष्ठ',
  },
  ar: {
    greeting: 'مرحبًا، كيف يمكنني مساعدتك؟',
    handoff: 'سنوصلكم بأحد أفراد فريقنا.',
    fallback: 'عذرًا، لم يتضح لي ذلك.',
    choose: 'اختيار',
    notFound: 'لم أجد شيئًا عن ذلك في قاعدة المعرفة. هل تريد أن أحوّلك إلى شخص؟',
    welcome: 'على الرحب والسعة.',
    closing: 'إلى اللقاء.',
    source: 'المصدر:',
    accordingTo: 'وفقًا لـ',
    page: 'صفحة',
  },
  zh: {
    greeting: '您好，请问有什么可以帮您？',
    handoff: '我为您转接人工客服。',
    fallback: '抱歉，我没有听懂。',
    choose: '选择',
    notFound: '我在知识库中没有找到相关信息。需要为您转接人工客服吗？',
    welcome: '不客气。',
    closing: '再见。',
    source: '来源：',
    accordingTo: '根据',
    page: '页码',
  },
  ja: {
    greeting: 'こんにちは。ご用件をお聞かせください。',
    handoff: '担当者におつなぎします。',
    fallback: '申し訳ございません、よく分かりませんでした。',
    choose: '選択',
    notFound: 'ナレッジベースに該当する情報が見つかりませんでした。担当者におつなぎしましょうか？',
    welcome: 'どういたしまして。',
    closing: '失礼いたします。',
    source: '出典：',
    accordingTo: '出典：',
    page: 'ページ',
  },
  ru: {
    greeting: 'Здравствуйте, чем могу помочь?',
    notFound: 'Я не нашёл ответа на этот вопрос в базе знаний. Соединить вас с сотрудником?',
    welcome: 'Пожалуйста.',
    closing: 'До свидания.',
    source: 'Источник:',
    accordingTo: 'Согласно документу',
    page: 'страница',
    handoff: 'Соединяю вас с сотрудником.',
    fallback: 'Извините, я вас не понял.',
    choose: 'Выбрать',
  },
  ko: {
    greeting: '안녕하세요, 무엇을 도와드릴까요?',
    notFound: '지식 베이스에서 관련 정보를 찾지 못했습니다. 담당자에게 연결해 드릴까요?',
    welcome: '천만에요.',
    closing: '안녕히 계세요.',
    source: '출처:',
    accordingTo: '출처:',
    page: '페이지',
    handoff: '담당자에게 연결해 드리겠습니다.',
    fallback: '죄송합니다, 이해하지 못했습니다.',
    choose: '선택',
  },
  tr: {
    greeting: 'Merhaba, size nasıl yardımcı olabilirim?',
    notFound: 'Bilgi bankasında bununla ilgili bir şey bulamadım. Sizi bir yetkiliye bağlamamı ister misiniz?',
    welcome: 'Rica ederim.',
    closing: 'Hoşça kalın.',
    source: 'Kaynak:',
    accordingTo: 'Kaynak:',
    page: 'sayfa',
    handoff: 'Sizi bir yetkiliye bağlıyorum.',
    fallback: 'Üzgünüm, anlayamadım.',
    choose: 'Seç',
  },
}

export const linesIn = (language: string): Lines => lines[primaryLanguage(language)] ?? english
