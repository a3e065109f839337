import { primaryLanguage } from '../../../platform/primary-language.ts'

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
  nl: {
    greeting: 'Hallo, waarmee kan ik u helpen?',
    notFound: 'Ik heb daarover niets gevonden in de kennisbank. Zal ik iemand voor u halen?',
    welcome: 'Graag gedaan.',
    closing: 'Tot ziens.',
    source: 'Bron:',
    accordingTo: 'Volgens',
    page: 'pagina',
    handoff: 'Ik verbind u door met een medewerker.',
    fallback: 'Sorry, dat heb ik niet begrepen.',
    choose: 'Kiezen',
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
  fa: {
    greeting: 'سلام، چطور می‌توانم کمکتان کنم؟',
    handoff: 'شما را به یکی از همکاران وصل می‌کنم.',
    fallback: 'ببخشید، متوجه نشدم.',
    choose: 'انتخاب',
    notFound: 'در پایگاه دانش چیزی در این باره پیدا نکردم. می‌خواهید شما را به یک نفر وصل کنم؟',
    welcome: 'خواهش می‌کنم.',
    closing: 'خداحافظ.',
    source: 'منبع:',
    accordingTo: 'بر اساس',
    page: 'صفحه',
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
  uk: {
    greeting: 'Вітаю, чим можу допомогти?',
    notFound: 'Я не знайшов нічого про це в базі знань. З’єднати вас із працівником?',
    welcome: 'Будь ласка.',
    closing: 'До побачення.',
    source: 'Джерело:',
    accordingTo: 'Згідно з документом',
    page: 'сторінка',
    handoff: 'З’єдную вас із працівником.',
    fallback: 'Вибачте, я вас не зрозумів.',
    choose: 'Вибрати',
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
