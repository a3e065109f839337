import { primaryLanguage } from '../../../platform/primary-language.ts'
import type { PhraseName } from '../../agents/config/speech-settings.ts'

type DefaultPhrases = Record<PhraseName, string>

const phrases = (
  sorry: string,
  [sayAgain, connecting, callBack, tryLater]: [string, string, string, string],
  unclear: string,
  rest: Omit<DefaultPhrases, 'not_understood' | 'say_again' | 'connecting' | 'call_back' | 'try_later'>,
): DefaultPhrases => ({
  not_understood: `${unclear} ${sayAgain}`,
  say_again: `${sorry} ${sayAgain}`,
  connecting: `${sorry} ${connecting}`,
  call_back: `${sorry} ${callBack}`,
  try_later: `${sorry} ${tryLater}`,
  ...rest,
})

const english = phrases(
  'I am sorry, we have a technical problem here.',
  [
    'Could you say that once more, please?',
    'I am connecting you to a colleague.',
    'A colleague will call you back.',
    'Please try again later.',
  ],
  'I am sorry, I did not understand that.',
  {
    silence_reminder: 'Are you still there?',
    closing: 'Thank you. Goodbye.',
    voicemail: 'We are sorry that we could not reach you. Please call us back. Goodbye.',
    transfer: 'One moment, please. I am connecting you.',
    briefing: 'Call from {{caller}}. {{reason}} Press any key to take the call.',
    handoff: 'A colleague will call you back. Goodbye.',
    hold: 'One moment, please.',
  },
)

/** By language, for inbound and outbound calls. Polite forms that fit any caller and any voice. */
const byLanguage: Record<string, DefaultPhrases> = {
  en: english,
  ar: phrases(
    'نعتذر، لدينا مشكلة تقنية.',
    [
      'هل يمكنكم إعادة ما قلتم من فضلكم؟',
      'سنحوّل مكالمتكم إلى أحد أفراد فريقنا.',
      'سيعاود فريقنا الاتصال بكم.',
      'يُرجى المحاولة لاحقًا.',
    ],
    'عذرًا، لم نسمعكم بوضوح.',
    {
      silence_reminder: 'هل ما زلتم على الخط؟',
      closing: 'شكرًا لكم. مع السلامة.',
      voicemail: 'لم نتمكن من التحدث إليكم. يُرجى معاودة الاتصال بنا. شكرًا لكم.',
      transfer: 'لحظة من فضلكم. سنحوّل مكالمتكم الآن.',
      briefing: 'مكالمة من {{caller}}. {{reason}} اضغط على أي زر لاستلام المكالمة.',
      handoff: 'سيعاود فريقنا الاتصال بكم. مع السلامة.',
      hold: 'لحظة من فضلكم.',
    },
  ),
  de: phrases(
    'Entschuldigung, wir haben hier ein technisches Problem.',
    [
      'Könnten Sie das bitte noch einmal sagen?',
      'Ich verbinde Sie mit unserem Team.',
      'Wir rufen Sie zurück.',
      'Bitte versuchen Sie es später noch einmal.',
    ],
    'Entschuldigung, das habe ich nicht verstanden.',
    {
      silence_reminder: 'Sind Sie noch da?',
      closing: 'Vielen Dank. Auf Wiederhören.',
      voicemail: 'Leider haben wir Sie nicht erreicht. Bitte rufen Sie uns zurück. Auf Wiederhören.',
      transfer: 'Einen Moment bitte, ich verbinde Sie.',
      briefing: 'Anruf von {{caller}}. {{reason}} Drücken Sie eine beliebige Taste, um das Gespräch anzunehmen.',
      handoff: 'Wir rufen Sie zurück. Auf Wiederhören.',
      hold: 'Einen Moment bitte.',
    },
  ),
  es: phrases(
    'Disculpe, tenemos un problema técnico.',
    [
      '¿Podría repetirlo, por favor?',
      'Le pongo en contacto con nuestro equipo.',
      'Le devolveremos la llamada.',
      'Inténtelo de nuevo más tarde, por favor.',
    ],
    'Disculpe, no le he entendido.',
    {
      silence_reminder: '¿Sigue ahí?',
      closing: 'Muchas gracias. Adiós.',
      voicemail: 'Sentimos no haber podido hablar con usted. Por favor, llámenos cuando pueda. Adiós.',
      transfer: 'Un momento, por favor. Le pongo en contacto con nuestro equipo.',
      briefing: 'Llamada de {{caller}}. {{reason}} Pulse cualquier tecla para aceptar la llamada.',
      handoff: 'Le devolveremos la llamada. Adiós.',
      hold: 'Un momento, por favor.',
    },
  ),
  fr: phrases(
    'Veuillez nous excuser, nous avons un problème technique.',
    [
      'Pourriez-vous répéter, s’il vous plaît ?',
      'Je vous mets en relation avec notre équipe.',
      'Nous vous rappellerons.',
      'Merci de réessayer plus tard.',
    ],
    'Excusez-moi, je n’ai pas compris.',
    {
      silence_reminder: 'Êtes-vous toujours en ligne ?',
      closing: 'Merci beaucoup. Au revoir.',
      voicemail: 'Nous n’avons pas réussi à vous joindre. Merci de nous rappeler. Au revoir.',
      transfer: 'Un instant, s’il vous plaît. Je vous mets en relation avec notre équipe.',
      briefing: 'Appel de {{caller}}. {{reason}} Appuyez sur une touche pour prendre l’appel.',
      handoff: 'Nous vous rappellerons. Au revoir.',
      hold: 'Un instant, s’il vous plaît.',
    },
  ),
  hi: phrases(
    'माफ़ कीजिए, हमें एक तकनीकी समस्या आ रही है।',
    [
      'कृपया एक बार फिर से बताइए।',
      'आपकी कॉल हमारी टीम से जोड़ी जा रही है।',
      'हमारी टीम आपको वापस कॉल करेगी।',
      'कृपया थोड़ी देर बाद फिर से कॉल कीजिए।',
    ],
    'माफ़ कीजिए, बात समझ में नहीं आई।',
    {
      silence_reminder: 'क्या आप लाइन पर हैं?',
      closing: 'धन्यवाद। नमस्ते।',
      voicemail: 'आपसे बात नहीं हो पाई। कृपया समय मिलने पर हमें कॉल कीजिए। धन्यवाद।',
      transfer: 'कृपया एक क्षण रुकिए। आपकी कॉल जोड़ी जा रही है।',
      briefing: '{{caller}} की कॉल है। {{reason}} कॉल लेने के लिए कोई भी बटन दबाएँ।',
      handoff: 'हमारी टीम आपको वापस कॉल करेगी। नमस्ते।',
      hold: 'कृपया एक क्षण रुकिए।',
    },
  ),
  id: phrases(
    'Mohon maaf, ada gangguan teknis di pihak kami.',
    [
      'Bisa tolong diulangi?',
      'Kami sambungkan Anda dengan tim kami.',
      'Tim kami akan menelepon Anda kembali.',
      'Silakan coba lagi nanti.',
    ],
    'Mohon maaf, suara Anda kurang jelas.',
    {
      silence_reminder: 'Apakah Anda masih di sana?',
      closing: 'Terima kasih. Sampai jumpa.',
      voicemail: 'Kami belum berhasil menghubungi Anda. Silakan telepon kami kembali. Terima kasih.',
      transfer: 'Mohon tunggu sebentar. Kami sambungkan Anda dengan tim kami.',
      briefing: 'Panggilan dari {{caller}}. {{reason}} Tekan tombol apa saja untuk menerima panggilan.',
      handoff: 'Tim kami akan menelepon Anda kembali. Sampai jumpa.',
      hold: 'Mohon tunggu sebentar.',
    },
  ),
  it: phrases(
    'Ci scusi, abbiamo un problema tecnico.',
    [
      'Può ripetere, per favore?',
      'La metto in contatto con il nostro team.',
      'La richiameremo.',
      'Riprovi più tardi, per favore.',
    ],
    'Mi scusi, non ho capito.',
    {
      silence_reminder: 'È ancora in linea?',
      closing: 'Grazie mille. Arrivederci.',
      voicemail: 'Non siamo riusciti a parlare con Lei. Ci richiami, per favore. Arrivederci.',
      transfer: 'Un momento, per favore. La metto in contatto con il nostro team.',
      briefing: 'Chiamata da {{caller}}. {{reason}} Prema un tasto qualsiasi per accettare la chiamata.',
      handoff: 'La richiameremo. Arrivederci.',
      hold: 'Un momento, per favore.',
    },
  ),
  nl: phrases(
    'Excuses, we hebben hier een technisch probleem.',
    [
      'Kunt u dat alstublieft herhalen?',
      'Ik verbind u door met ons team.',
      'We bellen u terug.',
      'Probeert u het later nog eens.',
    ],
    'Excuses, ik heb u niet verstaan.',
    {
      silence_reminder: 'Bent u er nog?',
      closing: 'Dank u wel. Tot ziens.',
      voicemail: 'We hebben u helaas niet bereikt. Belt u ons alstublieft terug. Tot ziens.',
      transfer: 'Een moment alstublieft. Ik verbind u door.',
      briefing: 'Oproep van {{caller}}. {{reason}} Druk op een toets om de oproep aan te nemen.',
      handoff: 'We bellen u terug. Tot ziens.',
      hold: 'Een moment alstublieft.',
    },
  ),
  pt: phrases(
    'Desculpe, estamos com um problema técnico.',
    [
      'Poderia repetir, por favor?',
      'Vou transferir a ligação para outra pessoa.',
      'Vamos ligar de volta.',
      'Por favor, tente novamente mais tarde.',
    ],
    'Desculpe, não consegui entender.',
    {
      silence_reminder: 'Ainda está na linha?',
      closing: 'Agradecemos a atenção. Até logo.',
      voicemail: 'Lamentamos não ter conseguido falar agora. Por favor, ligue para nós quando puder. Até logo.',
      transfer: 'Um momento, por favor. Vou transferir a ligação.',
      briefing: 'Chamada de {{caller}}. {{reason}} Pressione qualquer tecla para atender a chamada.',
      handoff: 'Vamos ligar de volta. Até logo.',
      hold: 'Um momento, por favor.',
    },
  ),
  ja: phrases(
    '申し訳ございません。技術的な問題が発生しております。',
    [
      'もう一度おっしゃっていただけますか。',
      '担当者におつなぎいたします。',
      '担当者より折り返しお電話いたします。',
      'しばらくしてからおかけ直しください。',
    ],
    '申し訳ございません。うまく聞き取れませんでした。',
    {
      silence_reminder: 'お電話はつながっておりますでしょうか。',
      closing: 'ありがとうございました。失礼いたします。',
      voicemail: 'お話しできず申し訳ございません。折り返しお電話をお願いいたします。失礼いたします。',
      transfer: '少々お待ちください。担当者におつなぎいたします。',
      briefing: '{{caller}}様からのお電話です。{{reason}} いずれかのキーを押すと、おつなぎします。',
      handoff: '担当者より折り返しお電話いたします。失礼いたします。',
      hold: '少々お待ちください。',
    },
  ),
  pl: phrases(
    'Przepraszamy, mamy problem techniczny.',
    ['Czy można prosić o powtórzenie?', 'Łączymy z naszym zespołem.', 'Oddzwonimy.', 'Prosimy spróbować później.'],
    'Przepraszam, ta wypowiedź nie była zrozumiała.',
    {
      silence_reminder: 'Czy nadal się słyszymy?',
      closing: 'Dziękujemy. Do widzenia.',
      voicemail: 'Niestety nie udało się nam porozmawiać. Prosimy o telefon. Do widzenia.',
      transfer: 'Chwileczkę, łączymy z naszym zespołem.',
      briefing: 'Połączenie od: {{caller}}. {{reason}} Aby odebrać, proszę nacisnąć dowolny klawisz.',
      handoff: 'Oddzwonimy. Do widzenia.',
      hold: 'Chwileczkę, proszę.',
    },
  ),
  tr: phrases(
    'Özür dileriz, teknik bir sorun yaşıyoruz.',
    [
      'Lütfen tekrar eder misiniz?',
      'Sizi ekibimize bağlıyoruz.',
      'Sizi geri arayacağız.',
      'Lütfen daha sonra tekrar deneyin.',
    ],
    'Özür dilerim, söylediğinizi anlayamadım.',
    {
      silence_reminder: 'Hâlâ hatta mısınız?',
      closing: 'Teşekkür ederiz. Hoşça kalın.',
      voicemail: 'Maalesef size ulaşamadık. Lütfen bizi geri arayın. Hoşça kalın.',
      transfer: 'Bir dakika lütfen, sizi bağlıyoruz.',
      briefing: 'Arayan: {{caller}}. {{reason}} Aramayı almak için herhangi bir tuşa basın.',
      handoff: 'Sizi geri arayacağız. Hoşça kalın.',
      hold: 'Bir dakika lütfen.',
    },
  ),
  zh: phrases(
    '很抱歉，我们遇到了技术问题。',
    ['请您再说一遍，好吗？', '我为您转接同事。', '我们会给您回电。', '请稍后再试。'],
    '很抱歉，我没有听清楚。',
    {
      silence_reminder: '请问您还在吗？',
      closing: '谢谢，再见。',
      voicemail: '很抱歉没能联系上您，请给我们回电。谢谢，再见。',
      transfer: '请稍等，我为您转接。',
      briefing: '{{caller}}来电。{{reason}} 请按任意键接听。',
      handoff: '我们会给您回电，再见。',
      hold: '请稍等。',
    },
  ),
}

export const hasPhrasesIn = (language: string): boolean => primaryLanguage(language) in byLanguage

/** The phrase in the language, or in English if there are none in it. */
export const defaultPhrase = (name: PhraseName, language: string): string =>
  (byLanguage[primaryLanguage(language)] ?? english)[name]
