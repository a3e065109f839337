/** A passage per line; a question that it answers follows the bar. */
export const german = `
Artikel aus dem Webshop können innerhalb von dreißig Tagen nach Zustellung zurückgesandt werden. | Wie lange habe ich Zeit, eine Bestellung zurückzuschicken?
Das Geld wird nach Eingang der Rücksendung binnen fünf Werktagen auf das ursprüngliche Zahlungsmittel erstattet. | Wann bekomme ich mein Geld zurück?
Die Versandkosten betragen 4,90 Euro; ab einem Warenwert von fünfzig Euro entfallen sie. | Was kostet der Versand?
Pakete innerhalb Deutschlands sind in der Regel nach zwei bis drei Werktagen beim Empfänger, Sperrgut braucht eine Woche. | Wie lange ist die Lieferzeit?
Unser Geschäft in der Lindenstraße ist montags bis samstags von neun bis neunzehn Uhr geöffnet. | Wann habt ihr offen?
Hinter dem Haus stehen zwanzig Stellplätze für Autos von Kunden bereit, die ersten zwei Stunden sind gratis. | Kann ich bei euch parken?
Auf Elektrogeräte gewähren wir drei Jahre Garantie, auf Akkus ein Jahr. | Wie lang ist die Garantiezeit eines Akkus?
Wer sein Kennwort vergessen hat, fordert auf der Anmeldeseite einen Link zum Zurücksetzen an. | Ich weiß mein Passwort nicht mehr, komme nicht in die Anmeldung
Bezahlt werden kann mit Kreditkarte, Lastschrift, PayPal oder auf Rechnung. | Welche Zahlungsarten gibt es?
Vereinbarte Termine lassen sich bis vierundzwanzig Stunden vorher kostenlos absagen, danach fällt eine Gebühr von zwanzig Euro an. | Bis wann kann ich einen Termin stornieren, ohne zu zahlen?
Geschenkgutscheine sind ab Kaufdatum drei Jahre einlösbar, auch in Teilbeträgen. | Wie lange ist ein Gutschein gültig?
Hunde dürfen angeleint mit in den Laden, in die Lebensmittelabteilung jedoch nicht. | Darf mein Hund mit hinein?
Das Frühstück wird von sieben bis halb elf im Wintergarten serviert.
Kostenloses WLAN gibt es in allen Zimmern; der Zugangscode steht auf der Schlüsselkarte. | Wie komme ich ins Internet?
Zimmer können ab fünfzehn Uhr bezogen werden.
Am Abreisetag bitten wir, das Zimmer bis elf Uhr zu räumen. | Um wie viel Uhr muss ich abreisen?
Rechnungen verschicken wir als PDF per E-Mail, auf Papier nur auf Wunsch.
Eine neue Anschrift tragen Sie im Kundenkonto unter Adressen ein. | Ich bin umgezogen, wo ändere ich die Adresse?
Für jeden ausgegebenen Euro gibt es einen Treuepunkt; hundert Punkte sind fünf Euro wert.
Studierende erhalten gegen Vorlage ihres Ausweises zehn Prozent Nachlass. | Gibt es Studentenrabatt?
Vom Rundbrief können Sie sich mit dem Verweis am Ende jeder Ausgabe abmelden.
Beschwerden beantwortet unsere Kundenbetreuung innerhalb eines Arbeitstags.
Reparaturen dauern etwa zehn Tage; ein Leihgerät stellen wir auf Anfrage. | Bekomme ich ein Ersatzgerät, während meines repariert wird?
Ersatzteile liefern wir bis zehn Jahre nach dem Ende der Herstellung.
Die Montage von Küchen übernimmt ein Partnerbetrieb zum Festpreis.
Schulungen finden jeden ersten Dienstag im Monat statt.
Kinder unter sechs Jahren übernachten ohne Aufpreis im Bett der Eltern.
Der Eingang und der Aufzug sind mit dem Rollstuhl erreichbar. | Ist das Gebäude barrierefrei?
Gepäck bewahren wir am Tag der Abreise bis achtzehn Uhr auf.
Ein Taxi zum Flughafen kostet etwa fünfunddreißig Euro.
Das Schwimmbad ist im Winter beheizt und schließt um zwanzig Uhr.
Die Sauna kostet neun Euro, Handtücher inbegriffen.
Fundsachen heben wir drei Monate lang auf. | Ich habe etwas verloren, wie lange wird es aufbewahrt?
Rauchen ist nur auf der Terrasse erlaubt.
Nach zweiundzwanzig Uhr gilt im ganzen Haus Nachtruhe.
Eine Versicherung gegen Bruch kostet zwei Euro im Monat.
Personenbezogene Daten löschen wir zwei Jahre nach der letzten Bestellung.
Offene Stellen stehen auf unserer Seite unter Karriere.
Besprechungsräume für bis zu zwölf Personen vermieten wir stundenweise.
Großkunden erhalten ab hundert Stück einen eigenen Ansprechpartner.
`
