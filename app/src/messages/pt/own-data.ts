import type { ownData as English } from '#messages/en/own-data.ts'
import { plural } from './forms.ts'

export const ownData: typeof English = {
  export: {
    heading: 'Exportar seus dados',
    lead: 'Um arquivo com o que esta conta contém, em JSON: para guardar ou levar para outro lugar.',
    account: 'Ele contém seu perfil, formas de entrar, sessões, atividade e apps conectados.',
    tables: 'E as linhas que pertencem a você',
    table: (name, column) => `${name}, onde ${column} é você`,
    start: 'Exportar',
    stop: 'Parar',
    working: (what) => `Lendo ${what}`,
    workingAccount: 'sua conta',
    rows: (count) => plural(count, { one: '# linha até agora', many: '# de linhas até agora', other: '# linhas até agora' }),
    done: (size) => `O arquivo foi salvo (${size}).`,
    partly: (names) => `Não foi possível ler tudo: ${names}. O arquivo também informa isso. O resto foi salvo.`,
    again: 'Salvar o arquivo novamente',
    cut: (name, count) => plural(count, { one: `${name} tem mais de # linha; o resto ficou de fora`, many: `${name} tem mais de # de linhas; o resto ficou de fora`, other: `${name} tem mais de # linhas; o resto ficou de fora` }),
  },

  remove: {
    heading: 'Excluir conta',
    lead: 'Para sempre: ninguém poderá recuperá-la.',
    start: 'Excluir conta',
    title: 'Excluir sua conta?',
    goes: 'Isto é excluído imediatamente:',
    goesAccount: 'Sua conta, com todas as formas de entrar nela',
    goesSessions: 'Todas as sessões, em todos os dispositivos',
    goesPhoto: 'Sua foto',
    goesRows: (table) => `Suas linhas em ${table}`,
    stays: 'Isto fica:',
    staysRows: (table) => `Linhas em ${table}, sem indicar que são suas`,
    staysFiles: 'Arquivos que você enviou',
    blocks: 'Estas podem impedir a exclusão enquanto contiverem linhas suas:',
    confirmLabel: (what) => `Digite ${what} para confirmar`,
    confirmWord: 'excluir',
    mismatch: (what) => `O texto não é igual a ${what}.`,
    submit: 'Excluir conta para sempre',
    failed: 'Sua conta não foi excluída',
    inUse: 'É preciso resolver primeiro as linhas que pertencem a você',
    inUseIn: (table) => `Exclua suas linhas em ${table} ou passe-as para outra pessoa e tente novamente.`,
    inUseSomewhere: 'Fale com os responsáveis por este app: eles guardam algo que não pode ficar sem a conta.',
  },

  goodbye: {
    title: 'Sua conta foi excluída',
    lead: (project) => `Sua sessão em ${project} foi encerrada em todos os dispositivos. Agradecemos por ter estado aqui.`,
    note: 'Pode levar até uma hora para valer em outro dispositivo.',
    again: 'Ir para a página de login',
  },
}
