const tryAgain = 'Try again. If it stays like this, tell the people who run this app.'
const tellTheOwner = 'Only the people who run this app can change that. Tell them the code below.'
const signInAgain = 'Sign in again. Your unsaved work is kept in this tab.'
const waitAMinute = 'Wait a minute, then try again.'
const askForAccess = 'If you need it, ask the people who run this app for access.'
const checkTheValue = 'Correct the value and save again.'

/** Refusals met behind the door only: of the database (SQLSTATE), of the data API (PostgREST's codes), and of changes to one's own account. */
export const insideErrors: Readonly<Record<string, { title: string; whatToDo: string }>> = {
  '22001': { title: 'A text is too long', whatToDo: checkTheValue },
  '22003': { title: 'A number is too large or too small', whatToDo: checkTheValue },
  '22007': { title: 'A date or time is not valid', whatToDo: checkTheValue },
  '22008': { title: 'A date or time is out of range', whatToDo: checkTheValue },
  '22P02': { title: 'A value does not fit its field', whatToDo: checkTheValue },
  '23502': { title: 'A required field is empty', whatToDo: 'Fill it in and save again.' },
  '23001': { title: 'Other records still point at this one', whatToDo: 'Change or remove the linked records first.' },
  '23503': { title: 'Another record depends on this one, or one it points to is gone', whatToDo: 'Change or remove the linked records first.' },
  '23505': { title: 'There is already a record with this value', whatToDo: 'Choose another value.' },
  '23514': { title: 'A value breaks a rule of this table', whatToDo: checkTheValue },
  '23P01': { title: 'This overlaps with another record', whatToDo: 'Choose another range.' },
  '25006': { title: 'Nothing can be changed here', whatToDo: askForAccess },
  '40001': { title: 'Someone changed this at the same moment', whatToDo: 'Try again.' },
  '40P01': { title: 'Someone changed this at the same moment', whatToDo: 'Try again.' },
  '42501': { title: 'You are not allowed to do this', whatToDo: askForAccess },
  '42703': { title: 'A column no longer exists', whatToDo: 'Reload the page: the project has changed.' },
  '42883': { title: 'A function no longer exists', whatToDo: 'Reload the page: the project has changed.' },
  '42P01': { title: 'This table no longer exists', whatToDo: 'Reload the page: the project has changed.' },
  '42P17': { title: 'The policies of this table refer to themselves', whatToDo: tellTheOwner },
  '428C9': { title: 'This value is computed and cannot be set', whatToDo: 'Leave the field as it is.' },
  '53300': { title: 'The database is busy', whatToDo: waitAMinute },
  '53400': { title: 'The database is busy', whatToDo: waitAMinute },
  '55P03': { title: 'Someone is changing this right now', whatToDo: 'Try again in a moment.' },
  '57014': { title: 'This took too long and was stopped', whatToDo: 'Narrow it down with a filter, then try again.' },
  PGRST000: { title: 'The database cannot be reached', whatToDo: waitAMinute },
  PGRST001: { title: 'The database cannot be reached', whatToDo: waitAMinute },
  PGRST002: { title: 'The database is starting', whatToDo: 'Try again in a moment.' },
  PGRST003: { title: 'The database is busy', whatToDo: waitAMinute },
  PGRST100: { title: 'The filter or order could not be read', whatToDo: 'Change or remove it.' },
  PGRST102: { title: 'The server could not read what was sent', whatToDo: tryAgain },
  PGRST103: { title: 'There are fewer records than asked for', whatToDo: 'Go back to the first ones.' },
  PGRST106: { title: 'This schema is not open to the app', whatToDo: tellTheOwner },
  PGRST116: { title: 'This record does not exist, or you may not see it', whatToDo: 'It may have been deleted. Go back to the list.' },
  PGRST200: { title: 'These tables are no longer linked', whatToDo: 'Reload the page: the project has changed.' },
  PGRST201: { title: 'These tables are linked in more than one way', whatToDo: tellTheOwner },
  PGRST202: { title: 'This function no longer exists', whatToDo: 'Reload the page: the project has changed.' },
  PGRST203: { title: 'There are several functions of this name', whatToDo: tellTheOwner },
  PGRST204: { title: 'A column no longer exists', whatToDo: 'Reload the page: the project has changed.' },
  PGRST205: { title: 'This table no longer exists', whatToDo: 'Reload the page: the project has changed.' },
  PGRST300: { title: 'The server lacks its signing key', whatToDo: tellTheOwner },
  PGRST301: { title: 'The server does not accept this session', whatToDo: signInAgain },
  PGRST302: { title: 'You need to be signed in for this', whatToDo: 'Sign in, then try again.' },
  PGRST303: { title: 'Your session has ended', whatToDo: signInAgain },
}
