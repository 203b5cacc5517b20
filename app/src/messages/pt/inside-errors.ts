const tryAgain = 'Tente novamente. Se o problema continuar, avise os responsáveis por este app.'
const tellTheOwner = 'Só os responsáveis por este app podem mudar isso. Informe a eles o código abaixo.'
const signInAgain = 'Entre novamente. O que não foi salvo está guardado nesta aba.'
const waitAMinute = 'Aguarde um minuto e tente novamente.'
const askForAccess = 'Se precisar, peça acesso aos responsáveis por este app.'
const checkTheValue = 'Corrija o valor e salve novamente.'
const projectChanged = 'Recarregue a página: o projeto mudou.'

export const insideErrors: Readonly<Record<string, { title: string; whatToDo: string }>> = {
  '22001': { title: 'Um texto é longo demais', whatToDo: checkTheValue },
  '22003': { title: 'Um número é grande ou pequeno demais', whatToDo: checkTheValue },
  '22007': { title: 'Uma data ou hora não é válida', whatToDo: checkTheValue },
  '22008': { title: 'Uma data ou hora está fora do intervalo', whatToDo: checkTheValue },
  '22P02': { title: 'Um valor não é adequado ao campo', whatToDo: checkTheValue },
  '23502': { title: 'Um campo obrigatório está vazio', whatToDo: 'Preencha-o e salve novamente.' },
  '23001': { title: 'Outros registros ainda apontam para este', whatToDo: 'Altere ou remova primeiro os registros vinculados.' },
  '23503': { title: 'Outro registro depende deste, ou um para o qual ele aponta não existe mais', whatToDo: 'Altere ou remova primeiro os registros vinculados.' },
  '23505': { title: 'Já existe um registro com este valor', whatToDo: 'Escolha outro valor.' },
  '23514': { title: 'Um valor viola uma regra desta tabela', whatToDo: checkTheValue },
  '23P01': { title: 'Isto se sobrepõe a outro registro', whatToDo: 'Escolha outro intervalo.' },
  '25006': { title: 'Nada pode ser alterado aqui', whatToDo: askForAccess },
  '40001': { title: 'Alguém alterou isto no mesmo momento', whatToDo: 'Tente novamente.' },
  '40P01': { title: 'Alguém alterou isto no mesmo momento', whatToDo: 'Tente novamente.' },
  '42501': { title: 'Você não tem permissão para fazer isso', whatToDo: askForAccess },
  '42703': { title: 'Uma coluna não existe mais', whatToDo: projectChanged },
  '42883': { title: 'Uma função não existe mais', whatToDo: projectChanged },
  '42P01': { title: 'Esta tabela não existe mais', whatToDo: projectChanged },
  '42P17': { title: 'As políticas desta tabela se referem a si mesmas', whatToDo: tellTheOwner },
  '428C9': { title: 'Este valor é calculado e não pode ser definido', whatToDo: 'Deixe o campo como está.' },
  '53300': { title: 'O banco de dados está ocupado', whatToDo: waitAMinute },
  '53400': { title: 'O banco de dados está ocupado', whatToDo: waitAMinute },
  '55P03': { title: 'Alguém está alterando isto agora', whatToDo: 'Tente novamente em instantes.' },
  '57014': { title: 'Isto demorou demais e foi interrompido', whatToDo: 'Restrinja com um filtro e tente novamente.' },
  PGRST000: { title: 'Não foi possível acessar o banco de dados', whatToDo: waitAMinute },
  PGRST001: { title: 'Não foi possível acessar o banco de dados', whatToDo: waitAMinute },
  PGRST002: { title: 'O banco de dados está iniciando', whatToDo: 'Tente novamente em instantes.' },
  PGRST003: { title: 'O banco de dados está ocupado', whatToDo: waitAMinute },
  PGRST100: { title: 'Não foi possível ler o filtro ou a ordem', whatToDo: 'Altere ou remova.' },
  PGRST102: { title: 'O servidor não conseguiu ler o que foi enviado', whatToDo: tryAgain },
  PGRST103: { title: 'Há menos registros do que o pedido', whatToDo: 'Volte aos primeiros.' },
  PGRST106: { title: 'Este schema não está aberto ao app', whatToDo: tellTheOwner },
  PGRST116: { title: 'Este registro não existe ou você não pode vê-lo', whatToDo: 'Pode ter sido excluído. Volte à lista.' },
  PGRST200: { title: 'Estas tabelas não estão mais vinculadas', whatToDo: projectChanged },
  PGRST201: { title: 'Estas tabelas estão vinculadas de mais de uma forma', whatToDo: tellTheOwner },
  PGRST202: { title: 'Esta função não existe mais', whatToDo: projectChanged },
  PGRST203: { title: 'Há várias funções com este nome', whatToDo: tellTheOwner },
  PGRST204: { title: 'Uma coluna não existe mais', whatToDo: projectChanged },
  PGRST205: { title: 'Esta tabela não existe mais', whatToDo: projectChanged },
  PGRST300: { title: 'Falta ao servidor a chave de assinatura', whatToDo: tellTheOwner },
  PGRST301: { title: 'O servidor não aceita esta sessão', whatToDo: signInAgain },
  PGRST302: { title: 'É preciso entrar para fazer isso', whatToDo: 'Entre e tente novamente.' },
  PGRST303: { title: 'Sua sessão terminou', whatToDo: signInAgain },
}
