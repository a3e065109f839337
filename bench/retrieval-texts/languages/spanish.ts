export const spanish = `
Los artículos comprados en la tienda en línea pueden devolverse durante los treinta días siguientes a la entrega. | ¿Cuánto tiempo tengo para hacer una devolución?
El dinero se reembolsa en cinco días hábiles por el mismo medio con el que se pagó. | ¿Cuándo recibiré mi reembolso?
El envío cuesta 4,90 euros y es gratuito a partir de cincuenta euros de compra. | ¿Cuánto cuestan los gastos de envío?
Los paquetes llegan normalmente a los dos o tres días laborables; los bultos grandes tardan una semana. | ¿Cuánto tarda en llegar un pedido?
Nuestra tienda de la calle Mayor abre de lunes a sábado, de nueve a siete de la tarde. | ¿A qué hora abren?
Detrás del edificio hay veinte plazas de aparcamiento para clientes; las dos primeras horas son gratis. | ¿Dónde puedo aparcar el coche?
Los electrodomésticos tienen tres años de garantía y las baterías, uno. | ¿Qué garantía tiene una batería?
Si olvidó su contraseña, pida un enlace para restablecerla en la página de acceso. | No recuerdo mi clave de acceso
Aceptamos tarjeta, domiciliación bancaria, PayPal y pago contra factura. | ¿Con qué formas de pago se puede comprar?
Las citas se pueden cancelar sin coste hasta veinticuatro horas antes; después se cobran veinte euros. | Quiero anular mi cita, ¿hasta cuándo es gratis?
Las tarjetas regalo caducan a los tres años de la compra. | ¿Cuándo vence una tarjeta de regalo?
Los perros pueden entrar con correa, salvo en la zona de alimentación. | ¿Se admiten mascotas como mi perro?
El desayuno se sirve de siete a diez y media en el jardín de invierno.
Hay wifi gratuito en todas las habitaciones; la clave está en la tarjeta de la puerta. | ¿Cómo me conecto a internet en mi habitación?
Las habitaciones están disponibles a partir de las tres de la tarde.
El día de salida rogamos dejar la habitación antes de las once. | ¿A qué hora hay que dejar el cuarto al salir?
Enviamos las facturas en PDF por correo electrónico; en papel, solo a petición.
La nueva dirección se cambia en la cuenta, en el apartado Direcciones. | Me mudé, ¿dónde actualizo mis direcciones?
Cada euro gastado da un punto; cien puntos valen cinco euros.
Los estudiantes obtienen un diez por ciento de descuento al mostrar su carné. | ¿Hay descuentos para estudiante?
Puede darse de baja del boletín con el enlace al final de cada número.
Atención al cliente responde a las quejas en un día laborable.
Las reparaciones tardan unos diez días; prestamos un aparato a quien lo pida. | ¿Me prestan otro mientras reparan el mío?
Suministramos piezas de recambio hasta diez años después de la fabricación.
El montaje de cocinas lo hace una empresa asociada a precio fijo.
Los cursos tienen lugar el primer martes de cada mes.
Los menores de seis años duermen gratis en la cama de sus padres.
La entrada y el ascensor son accesibles en silla de ruedas. | ¿Es accesible para personas con silla?
Guardamos el equipaje el día de salida hasta las seis.
Un taxi al aeropuerto cuesta unos treinta y cinco euros.
La piscina está climatizada en invierno y cierra a las ocho.
La sauna cuesta nueve euros, con toallas incluidas.
Conservamos los objetos perdidos tres meses. | Perdí un objeto, ¿lo guardan?
Solo se permite fumar en la terraza.
A partir de las diez de la noche se ruega silencio.
El seguro contra roturas cuesta dos euros al mes.
Borramos los datos personales dos años después del último pedido.
Las vacantes se publican en la sección Empleo.
Alquilamos por horas salas de reunión para doce personas.
Los clientes mayoristas tienen un gestor propio a partir de cien unidades.
`
