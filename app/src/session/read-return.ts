import { safePath } from './redirects.ts'

/** The page that takes people on to an app beside this one, once they are signed in; it alone judges where that is. */
const onwardPage = '/onward'

/**
 * Where the address of a page of the door says that the person goes on: `to` is a path of this app, `redirect_to` an address a
 * sibling app has sent them with. What comes of it is always a path of this app.
 */
export function readReturn(query: URLSearchParams): string {
  const elsewhere = query.get('redirect_to')
  return elsewhere ? safePath(`${onwardPage}?to=${encodeURIComponent(elsewhere)}`) : safePath(query.get('to'))
}
