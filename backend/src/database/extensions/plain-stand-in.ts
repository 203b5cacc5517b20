import { identifier, literal } from '#database/sql.ts'
import { standIns, type StandIn } from './stand-ins.ts'

const defaultSchema = 'extensions'

/** Whether there is a stand-in of this name. */
export const hasStandIn = (name: string): boolean => standIns.some((standIn) => standIn.name === name)

function quoteScript(text: string): string {
  let tag = '$script$'
  while (text.includes(tag)) tag = `$script${tag.length}$`
  return `${tag}${text}${tag}`
}

// What only means something inside of `create extension`.
const withoutExtensionCalls = (script: string): string => script.replace(/^select pg_extension_config_dump\(.*\);$/gm, '')

function layOne({ name, script, schema }: StandIn, wantedSchema: string | undefined): string {
  // Nobody may add to pg_catalog, where dumps put pg_cron.
  const home = schema ?? (wantedSchema?.startsWith('pg_') ? defaultSchema : (wantedSchema ?? defaultSchema))
  const text = withoutExtensionCalls(script).replaceAll('@extschema@', identifier(home).text)
  return `do $stand_in$
declare
  path text := current_setting('search_path');
begin
  if not exists (select from _portico.stand_ins where name = ${literal(name).text}) then
    execute ${literal(`create schema if not exists ${identifier(home).text}`).text};
    perform set_config('search_path', ${literal(`${identifier(home).text}, extensions, public`).text}, true);
    execute ${quoteScript(text)};
    perform set_config('search_path', path, true);
    insert into _portico.stand_ins (name) values (${literal(name).text});
  end if;
end
$stand_in$`
}

/**
 * Gives the statement that makes a stand-in's objects without an extension around them, for a server whose files nobody can
 * add to. Laid once: run again it does nothing. Undefined when there is no stand-in of this name.
 */
export function plainStandIn(name: string, schema?: string): string | undefined {
  const standIn = standIns.find((each) => each.name === name)
  return standIn === undefined ? undefined : layOne(standIn, schema)
}
