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
]

export const wantsPerson = (heard: string): boolean =>
  heard.split('\n').some((line) => askingForPerson.some((pattern) => pattern.test(line)))

export const isGreeting = (heard: string): boolean =>
  /^\W*(hi|hello|hey|hola|hallo|good (morning|afternoon|evening))( there)?\W*$/i.test(heard)

interface Lines {
  handoff: string
  fallback: string
  /** The button that opens a list of choices; at most 20 characters. */
  choose: string
  /** A stage of the call failed once: the agent apologizes for a technical problem. */
  sayAgain: string
  /** It failed again: what happens next, depending on what is possible. */
  connecting: string
  callBack: string
  tryLater: string
}

const english: Lines = {
  handoff: 'I am getting a person for you.',
  fallback: 'Sorry, I did not understand that.',
  choose: 'Choose',
  sayAgain: 'I am sorry, we have a technical problem here. Could you say that once more, please?',
  connecting: 'I am sorry, we have a technical problem here. I am connecting you to a colleague.',
  callBack: 'I am sorry, we have a technical problem here. A colleague will call you back.',
  tryLater: 'I am sorry, we have a technical problem here. Please try again later.',
}

/** What an agent says by itself, in the languages that were reviewed. */
const lines: Record<string, Lines> = {
  en: english,
  es: {
    handoff: 'Le paso con una persona.',
    fallback: 'Disculpe, no le he entendido.',
    choose: 'Elegir',
    sayAgain: 'Disculpe, tenemos un problema técnico. ¿Podría repetirlo, por favor?',
    connecting: 'Disculpe, tenemos un problema técnico. Le paso con un compañero.',
    callBack: 'Disculpe, tenemos un problema técnico. Un compañero le devolverá la llamada.',
    tryLater: 'Disculpe, tenemos un problema técnico. Inténtelo de nuevo más tarde, por favor.',
  },
  pt: {
    handoff: 'Vou chamar uma pessoa para ajudar.',
    fallback: 'Desculpe, não entendi.',
    choose: 'Escolher',
    sayAgain: 'Desculpe, estamos com um problema técnico. Poderia repetir, por favor?',
    connecting: 'Desculpe, estamos com um problema técnico. Vou passar a ligação para um colega.',
    callBack: 'Desculpe, estamos com um problema técnico. Um colega vai ligar de volta.',
    tryLater: 'Desculpe, estamos com um problema técnico. Por favor, tente novamente mais tarde.',
  },
  de: {
    handoff: 'Ich hole jemanden für Sie.',
    fallback: 'Entschuldigung, das habe ich nicht verstanden.',
    choose: 'Auswählen',
    sayAgain: 'Entschuldigung, wir haben hier ein technisches Problem. Könnten Sie das bitte noch einmal sagen?',
    connecting: 'Entschuldigung, wir haben hier ein technisches Problem. Ich verbinde Sie mit einem Kollegen.',
    callBack: 'Entschuldigung, wir haben hier ein technisches Problem. Ein Kollege ruft Sie zurück.',
    tryLater: 'Entschuldigung, wir haben hier ein technisches Problem. Bitte versuchen Sie es später noch einmal.',
  },
  fr: {
    handoff: 'Je vous passe une personne.',
    fallback: 'Désolé, je n’ai pas compris.',
    choose: 'Choisir',
    sayAgain: 'Désolé, nous avons un problème technique. Pourriez-vous répéter, s’il vous plaît ?',
    connecting: 'Désolé, nous avons un problème technique. Je vous passe un collègue.',
    callBack: 'Désolé, nous avons un problème technique. Un collègue vous rappellera.',
    tryLater: 'Désolé, nous avons un problème technique. Veuillez réessayer plus tard.',
  },
  it: {
    handoff: 'La metto in contatto con una persona.',
    fallback: 'Mi scusi, non ho capito.',
    choose: 'Scegli',
    sayAgain: 'Mi scusi, abbiamo un problema tecnico. Può ripetere, per favore?',
    connecting: 'Mi scusi, abbiamo un problema tecnico. La metto in contatto con un collega.',
    callBack: 'Mi scusi, abbiamo un problema tecnico. Un collega la richiamerà.',
    tryLater: 'Mi scusi, abbiamo un problema tecnico. Riprovi più tardi, per favore.',
  },
}

export const linesIn = (language: string): Lines => lines[language.slice(0, 2).toLowerCase()] ?? english
