const tryAgain = 'Inténtelo de nuevo. Si el problema continúa, avise a quienes administran esta aplicación.'
const tellTheOwner = 'Solo quienes administran esta aplicación pueden cambiarlo. Indíqueles el código de abajo.'
const signInAgain = 'Vuelva a iniciar sesión. Lo que no se ha guardado se conserva en esta pestaña.'
const waitAMinute = 'Espere un minuto e inténtelo de nuevo.'
const askForAccess = 'Si lo necesita, pida acceso a quienes administran esta aplicación.'
const checkTheValue = 'Corrija el valor y vuelva a guardar.'
const projectChanged = 'Recargue la página: el proyecto ha cambiado.'

export const insideErrors: Readonly<Record<string, { title: string; whatToDo: string }>> = {
  '22001': { title: 'Un texto es demasiado largo', whatToDo: checkTheValue },
  '22003': { title: 'Un número es demasiado grande o demasiado pequeño', whatToDo: checkTheValue },
  '22007': { title: 'Una fecha u hora no es válida', whatToDo: checkTheValue },
  '22008': { title: 'Una fecha u hora está fuera del intervalo', whatToDo: checkTheValue },
  '22P02': { title: 'Un valor no es adecuado para su campo', whatToDo: checkTheValue },
  '23502': { title: 'Un campo obligatorio está vacío', whatToDo: 'Rellénelo y vuelva a guardar.' },
  '23001': { title: 'Otros registros todavía apuntan a este', whatToDo: 'Cambie o quite antes los registros vinculados.' },
  '23503': { title: 'Otro registro depende de este, o uno al que apunta ya no existe', whatToDo: 'Cambie o quite antes los registros vinculados.' },
  '23505': { title: 'Ya hay un registro con este valor', whatToDo: 'Elija otro valor.' },
  '23514': { title: 'Un valor incumple una regla de esta tabla', whatToDo: checkTheValue },
  '23P01': { title: 'Esto se solapa con otro registro', whatToDo: 'Elija otro intervalo.' },
  '25006': { title: 'Aquí no se puede cambiar nada', whatToDo: askForAccess },
  '40001': { title: 'Alguien cambió esto en el mismo momento', whatToDo: 'Inténtelo de nuevo.' },
  '40P01': { title: 'Alguien cambió esto en el mismo momento', whatToDo: 'Inténtelo de nuevo.' },
  '42501': { title: 'No tiene permiso para hacer esto', whatToDo: askForAccess },
  '42703': { title: 'Una columna ya no existe', whatToDo: projectChanged },
  '42883': { title: 'Una función ya no existe', whatToDo: projectChanged },
  '42P01': { title: 'Esta tabla ya no existe', whatToDo: projectChanged },
  '42P17': { title: 'Las políticas de esta tabla se refieren a sí mismas', whatToDo: tellTheOwner },
  '428C9': { title: 'Este valor se calcula y no se puede fijar', whatToDo: 'Deje el campo como está.' },
  '53300': { title: 'La base de datos está ocupada', whatToDo: waitAMinute },
  '53400': { title: 'La base de datos está ocupada', whatToDo: waitAMinute },
  '55P03': { title: 'Alguien está cambiando esto ahora mismo', whatToDo: 'Inténtelo de nuevo en un momento.' },
  '57014': { title: 'Esto tardó demasiado y se detuvo', whatToDo: 'Acótelo con un filtro e inténtelo de nuevo.' },
  PGRST000: { title: 'No se puede acceder a la base de datos', whatToDo: waitAMinute },
  PGRST001: { title: 'No se puede acceder a la base de datos', whatToDo: waitAMinute },
  PGRST002: { title: 'La base de datos se está iniciando', whatToDo: 'Inténtelo de nuevo en un momento.' },
  PGRST003: { title: 'La base de datos está ocupada', whatToDo: waitAMinute },
  PGRST100: { title: 'No se pudo leer el filtro o el orden', whatToDo: 'Cámbielo o quítelo.' },
  PGRST102: { title: 'El servidor no pudo leer lo que se envió', whatToDo: tryAgain },
  PGRST103: { title: 'Hay menos registros de los que se pidieron', whatToDo: 'Vuelva a los primeros.' },
  PGRST106: { title: 'Este esquema no está abierto a la aplicación', whatToDo: tellTheOwner },
  PGRST116: { title: 'Este registro no existe o usted no puede verlo', whatToDo: 'Puede que se haya eliminado. Vuelva a la lista.' },
  PGRST200: { title: 'Estas tablas ya no están vinculadas', whatToDo: projectChanged },
  PGRST201: { title: 'Estas tablas están vinculadas de más de una forma', whatToDo: tellTheOwner },
  PGRST202: { title: 'Esta función ya no existe', whatToDo: projectChanged },
  PGRST203: { title: 'Hay varias funciones con este nombre', whatToDo: tellTheOwner },
  PGRST204: { title: 'Una columna ya no existe', whatToDo: projectChanged },
  PGRST205: { title: 'Esta tabla ya no existe', whatToDo: projectChanged },
  PGRST300: { title: 'Al servidor le falta su clave de firma', whatToDo: tellTheOwner },
  PGRST301: { title: 'El servidor no acepta esta sesión', whatToDo: signInAgain },
  PGRST302: { title: 'Para esto hay que iniciar sesión', whatToDo: 'Inicie sesión e inténtelo de nuevo.' },
  PGRST303: { title: 'Su sesión ha terminado', whatToDo: signInAgain },
}
