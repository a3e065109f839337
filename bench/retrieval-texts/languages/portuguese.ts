export const portuguese = `
Os artigos comprados na loja virtual podem ser devolvidos até trinta dias depois da entrega. | Qual é o prazo para devolver uma compra?
O dinheiro é reembolsado em cinco dias úteis pelo mesmo meio de pagamento. | Quando recebo o reembolso?
O frete custa 4,90 e é grátis a partir de cinquenta em compras. | Quanto se paga de frete?
As encomendas chegam em dois ou três dias úteis; volumes grandes levam uma semana. | Em quanto tempo chega a minha encomenda?
A nossa loja da Rua Direita abre de segunda a sábado, das nove às dezenove horas. | A que horas vocês abrem?
Atrás do prédio há vinte vagas de estacionamento para clientes; as duas primeiras horas são gratuitas. | Tem onde estacionar o carro?
Os eletrodomésticos têm três anos de garantia e as baterias, um ano. | Qual a garantia da bateria?
Quem esqueceu a senha pede um link de redefinição na página de entrada. | Esqueci minha senha, e agora?
Aceitamos cartão, débito direto, PayPal e boleto. | Quais cartões e meios de pagamento são aceitos?
As marcações podem ser canceladas sem custo até vinte e quatro horas antes; depois cobra-se uma taxa. | Posso cancelar a marcação de graça?
Os vales-presente valem três anos a partir da compra. | Por quanto tempo vale um vale-presente?
Cães podem entrar com coleira, exceto na área de alimentos. | Posso entrar com meu cão?
O café da manhã é servido das sete às dez e meia no jardim de inverno.
Há wi-fi gratuito em todos os quartos; o código está no cartão da porta. | Como acesso o wifi no quarto?
Os quartos ficam disponíveis a partir das quinze horas.
No dia da saída pedimos que o quarto seja liberado até as onze. | Até que horas devo sair do quarto?
Enviamos as faturas em PDF por e-mail; em papel, só a pedido.
O novo endereço é alterado na conta, em Endereços. | Mudei de casa, onde altero o endereço?
Cada real gasto dá um ponto; cem pontos valem cinco reais.
Estudantes têm dez por cento de desconto ao mostrar a carteirinha. | Existe desconto para estudante?
Para sair da newsletter, use o link no fim de cada edição.
O atendimento responde a reclamações em um dia útil.
Os consertos levam cerca de dez dias; emprestamos um aparelho a quem pedir. | Emprestam um aparelho durante o conserto?
Fornecemos peças de reposição até dez anos depois do fim da fabricação.
A montagem de cozinhas é feita por uma empresa parceira a preço fixo.
Os treinamentos acontecem na primeira terça-feira do mês.
Crianças com menos de seis anos dormem de graça na cama dos pais.
A entrada e o elevador são acessíveis a cadeiras de rodas. | O prédio é acessível para cadeirante, cadeira de rodas?
Guardamos a bagagem no dia da saída até as dezoito horas.
Um táxi para o aeroporto custa cerca de trinta e cinco.
A piscina é aquecida no inverno e fecha às vinte horas.
A sauna custa nove, com toalhas incluídas.
Objetos perdidos ficam guardados durante três meses. | Perdi um objeto, por quanto tempo guardam?
Só é permitido fumar no terraço.
Depois das vinte e duas horas pede-se silêncio.
O seguro contra quebra custa dois por mês.
Apagamos os dados pessoais dois anos depois do último pedido.
As vagas de emprego estão na página Carreiras.
Alugamos por hora salas de reunião para doze pessoas.
Clientes de atacado têm um gerente próprio a partir de cem unidades.
`
