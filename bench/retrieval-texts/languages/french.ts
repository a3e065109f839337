export const french = `
Les articles achetés en ligne peuvent être renvoyés dans les trente jours qui suivent la livraison. | Combien de temps ai-je pour renvoyer un article ?
L’argent est remboursé sous cinq jours ouvrés par le même moyen de paiement. | Quand serai-je remboursé ?
Les frais de port s’élèvent à 4,90 euros et sont offerts dès cinquante euros d’achat. | Combien coûtent les frais d’envoi, le port ?
Les colis arrivent en général sous deux à trois jours ouvrés ; les objets encombrants demandent une semaine. | En combien de jours arrive mon colis ?
Notre magasin de la rue Haute ouvre du lundi au samedi, de neuf heures à dix-neuf heures. | Quels sont les horaires d’ouverture du magasin ?
Derrière le bâtiment, vingt places de stationnement sont réservées aux clients ; les deux premières heures sont gratuites. | Où peut-on stationner sa voiture ?
Les appareils électriques sont garantis trois ans, les batteries un an. | Quelle est la garantie sur une batterie ?
En cas d’oubli du mot de passe, demandez un lien de réinitialisation sur la page de connexion. | J’ai oublié mon mot de passe
Nous acceptons la carte, le prélèvement, PayPal et le paiement sur facture. | Quels moyens de paiement acceptez-vous ?
Les rendez-vous s’annulent sans frais jusqu’à vingt-quatre heures avant ; ensuite vingt euros sont dus. | Jusqu’à quand annuler un rendez-vous gratuitement ?
Les cartes cadeaux sont valables trois ans à partir de l’achat. | Quelle est la durée de validité d’une carte cadeau ?
Les chiens sont admis en laisse, sauf au rayon alimentation. | Mon chien peut-il entrer ?
Le petit déjeuner est servi de sept heures à dix heures trente dans le jardin d’hiver.
Le wifi est gratuit dans toutes les chambres ; le code figure sur la carte d’accès. | Où trouver le code du wifi ?
Les chambres sont disponibles à partir de quinze heures.
Le jour du départ, merci de libérer la chambre avant onze heures. | À quelle heure faut-il libérer les chambres ?
Les factures sont envoyées en PDF par courriel, sur papier à la demande.
La nouvelle adresse se change dans le compte, à la rubrique Adresses. | J’ai déménagé, où changer mon adresse ?
Chaque euro dépensé donne un point ; cent points valent cinq euros.
Les étudiants bénéficient de dix pour cent de remise sur présentation de leur carte. | Y a-t-il une remise pour étudiant ?
On se désabonne de la lettre d’information par le lien en bas de chaque numéro.
Le service clients répond aux réclamations en un jour ouvré.
Les réparations durent une dizaine de jours ; un appareil de prêt est fourni sur demande. | Prêtez-vous un appareil pendant la réparation ?
Les pièces de rechange sont fournies jusqu’à dix ans après la fin de la fabrication.
Le montage des cuisines est confié à un partenaire à prix fixe.
Les formations ont lieu le premier mardi du mois.
Les enfants de moins de six ans dorment gratuitement dans le lit des parents.
L’entrée et l’ascenseur sont accessibles en fauteuil roulant. | Est-ce accessible aux fauteuils roulants ?
Nous gardons les bagages le jour du départ jusqu’à dix-huit heures.
Un taxi pour l’aéroport coûte environ trente-cinq euros.
La piscine est chauffée en hiver et ferme à vingt heures.
Le sauna coûte neuf euros, serviettes comprises.
Les objets trouvés sont conservés trois mois. | J’ai perdu un objet, le conservez-vous ?
Il n’est permis de fumer que sur la terrasse.
Après vingt-deux heures, le silence est de rigueur.
L’assurance contre la casse coûte deux euros par mois.
Les données personnelles sont effacées deux ans après la dernière commande.
Les postes à pourvoir figurent à la rubrique Carrières.
Des salles de réunion pour douze personnes se louent à l’heure.
Les grossistes ont un interlocuteur attitré à partir de cent pièces.
`
