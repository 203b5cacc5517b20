import type { Client } from '#api/client.ts'

/** A table or view of the project. The official client puts a name into the path as it is, so what is special there is escaped here. */
export const tableAt = (client: Client, { schema, name }: { schema: string; name: string }) => client.schema(schema).from(encodeURIComponent(name))
