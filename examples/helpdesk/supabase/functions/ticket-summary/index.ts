// Sums up one ticket for whoever calls, with the caller's own rights: what the policies hide is not in the summary.
import { createClient } from 'npm:@supabase/supabase-js@2'

Deno.serve(async (request: Request) => {
  const { ticket_id: ticketId } = await request.json().catch(() => ({}))
  if (!Number.isSafeInteger(ticketId)) {
    return Response.json({ error: 'Send { "ticket_id": 123 }.' }, { status: 400 })
  }
  const client = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_ANON_KEY')!, {
    global: { headers: { Authorization: request.headers.get('Authorization') ?? '' } },
  })
  const { data: ticket, error } = await client
    .from('tickets')
    .select('id, subject, status, priority, created_at, messages(body, is_internal, created_at)')
    .eq('id', ticketId)
    .order('created_at', { referencedTable: 'messages' })
    .maybeSingle()
  if (error) return Response.json({ error: error.message }, { status: 502 })
  if (!ticket) return Response.json({ error: `There is no ticket ${ticketId} that you may see.` }, { status: 404 })
  const answers = ticket.messages.filter((message) => !message.is_internal)
  return Response.json({
    ticket: ticket.id,
    summary: `${ticket.subject}: ${ticket.status}, ${ticket.priority} priority, ${answers.length} messages since ${ticket.created_at.slice(0, 10)}.`,
    lastMessage: answers.at(-1)?.body ?? null,
  })
})
