const loopback = ['http://127.0.0.1:*', 'http://localhost:*', 'ws://127.0.0.1:*', 'ws://localhost:*']

function sources(projectUrl: string): string[] {
  const { origin, protocol, host } = new URL(projectUrl)
  return [origin, `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`]
}

/**
 * The content security policy of the app's pages.
 *
 * Scripts and styles come from this origin alone, never inline: that is the wall. Connections are wider on purpose. A person can
 * add any project on the Connect screen, and the page must then reach it; which ones is known to their browser only, so the list
 * cannot be made here. Allowed are TLS anywhere and plain HTTP on this machine; a plain-HTTP project elsewhere must be configured.
 *
 * @param captcha the origins of the captcha that the operator has set up: the only foreign scripts and frames there can be
 */
export function contentSecurityPolicy(projectUrls: readonly string[], captcha: readonly string[] = []): string {
  const projects = projectUrls.flatMap(sources)
  const unique = (list: readonly string[]) => [...new Set(list)].join(' ')
  return [
    "default-src 'none'",
    ["script-src 'self'", ...captcha].join(' '),
    ["style-src 'self'", ...captcha].join(' '),
    `img-src ${unique(["'self'", 'data:', 'blob:', 'https:', ...loopback.slice(0, 2), ...projects.filter((source) => source.startsWith('http'))])}`,
    `media-src ${unique(["'self'", 'blob:', 'https:', ...loopback.slice(0, 2), ...projects.filter((source) => source.startsWith('http'))])}`,
    // A PDF in the browser's own viewer: a blob the page made itself and gave that one type. No other origin is framed, but a captcha's.
    ['frame-src blob:', ...captcha].join(' '),
    "font-src 'self'",
    `connect-src ${unique(["'self'", 'https:', 'wss:', ...loopback, ...projects])}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** Headers of every answer of the app. */
export const securityHeaders = (projectUrls: readonly string[], captcha: readonly string[] = []): Readonly<Record<string, string>> => ({
  'content-security-policy': contentSecurityPolicy(projectUrls, captcha),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Links in mails carry codes in the address; no other site is told of it.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
})
