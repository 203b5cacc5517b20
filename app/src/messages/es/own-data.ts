import type { ownData as English } from '#messages/en/own-data.ts'
import { plural } from './forms.ts'

export const ownData: typeof English = {
  export: {
    heading: 'Exportar sus datos',
    lead: 'Un archivo JSON con lo que contiene esta cuenta: para guardarlo o llevarlo a otro lugar.',
    account: 'Contiene su perfil, formas de iniciar sesión, sesiones, actividad y aplicaciones conectadas.',
    tables: 'Y las filas que le pertenecen',
    table: (name, column) => `${name}, donde ${column} es usted`,
    start: 'Exportar',
    stop: 'Detener',
    working: (what) => `Leyendo ${what}`,
    workingAccount: 'su cuenta',
    rows: (count) => plural(count, { one: '# fila hasta ahora', many: '# de filas hasta ahora', other: '# filas hasta ahora' }),
    done: (size) => `El archivo se ha guardado (${size}).`,
    partly: (names) => `No se ha podido leer todo: ${names}. El archivo también lo indica. El resto se ha guardado.`,
    again: 'Guardar el archivo de nuevo',
    cut: (name, count) => plural(count, { one: `${name} tiene más de # fila; el resto no se incluye`, many: `${name} tiene más de # de filas; el resto no se incluye`, other: `${name} tiene más de # filas; el resto no se incluye` }),
  },

  remove: {
    heading: 'Eliminar cuenta',
    lead: 'Para siempre: nadie podrá recuperarla.',
    start: 'Eliminar cuenta',
    title: '¿Eliminar su cuenta?',
    goes: 'Esto se elimina de inmediato:',
    goesAccount: 'Su cuenta, con todas las formas de iniciar sesión en ella',
    goesSessions: 'Todas las sesiones, en todos los dispositivos',
    goesPhoto: 'Su foto',
    goesRows: (table) => `Sus filas en ${table}`,
    stays: 'Esto se conserva:',
    staysRows: (table) => `Filas en ${table}, sin indicar que son suyas`,
    staysFiles: 'Los archivos que ha subido',
    blocks: 'Estas pueden impedir la eliminación mientras contengan filas suyas:',
    confirmLabel: (what) => `Escriba ${what} para confirmar`,
    confirmWord: 'eliminar',
    mismatch: (what) => `El texto no coincide con ${what}.`,
    submit: 'Eliminar cuenta para siempre',
    failed: 'Su cuenta no se ha eliminado',
    inUse: 'Primero hay que resolver las filas que le pertenecen',
    inUseIn: (table) => `Elimine sus filas en ${table} o páselas a otra persona e inténtelo de nuevo.`,
    inUseSomewhere: 'Consulte a quienes administran esta aplicación: guardan algo que no puede quedarse sin su cuenta.',
  },

  goodbye: {
    title: 'Su cuenta se ha eliminado',
    lead: (project) => `Su sesión en ${project} se ha cerrado en todos los dispositivos. Gracias por haber estado aquí.`,
    note: 'Otro dispositivo puede tardar hasta una hora en notarlo.',
    again: 'Ir a la página de inicio de sesión',
  },
}
