// Tells whether the helpdesk is staffed now, Monday to Friday, 9 to 18 o'clock in the asked time zone.
Deno.serve((request: Request) => {
  const timeZone = new URL(request.url).searchParams.get('time_zone') ?? 'UTC'
  let parts: Intl.DateTimeFormatPart[]
  try {
    parts = new Intl.DateTimeFormat('en', { timeZone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' }).formatToParts(new Date())
  } catch {
    return Response.json({ error: `${timeZone} is not a time zone.` }, { status: 400 })
  }
  const weekday = parts.find((part) => part.type === 'weekday')?.value ?? ''
  const hour = Number(parts.find((part) => part.type === 'hour')?.value ?? 0)
  const isOpen = !['Sat', 'Sun'].includes(weekday) && hour >= 9 && hour < 18
  return Response.json({ timeZone, isOpen, opensAt: '09:00', closesAt: '18:00' })
})
