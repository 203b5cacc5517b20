const texts = '<nav class="kinds" aria-label="Kinds of post"><a href="/" aria-current="page">Mail</a><a href="/phone">Texts</a></nav>'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mailbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/mailbox.css">
<script src="/mailbox.js" defer></script>
</head>
<body>
<a class="skip" href="#reading">Skip to the mail</a>
<header class="bar">
  <h1 class="brand">
    <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M2.5 7 10 2.75 17.5 7zM4.75 9.5v6M10 9.5v6M15.25 9.5v6M2.5 17.5h15"/></svg>
    <!--name-->
  </h1>
  <!--kinds-->
  <label class="search">
    <span class="hidden">Search mail</span>
    <input id="search" type="search" placeholder="Search mail" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
  </label>
  <p id="count" class="count" aria-live="polite"></p>
  <button id="delete-all" class="quiet" type="button" hidden>Delete all</button>
</header>
<p id="offline" class="offline" role="status" hidden>The box does not answer. Trying again.</p>
<main>
  <nav class="list" aria-label="Mails">
    <ul id="mails"></ul>
    <div id="nothing" class="nothing" hidden></div>
  </nav>
  <article id="reading" class="reading" tabindex="-1" aria-label="Mail">
    <div id="unread-state" class="nothing"><h2>No mail chosen</h2><p>Choose a mail on the left to read it.</p></div>
    <div id="mail" hidden>
      <header class="head">
        <a class="back" href="#/">All mail</a>
        <h2 id="subject"></h2>
        <dl><dt>To</dt><dd id="to"></dd><dt>From</dt><dd id="from"></dd><dt>Sent</dt><dd><time id="sent"></time></dd></dl>
        <div class="actions">
          <div class="tabs" role="group" aria-label="Show as">
            <button id="as-html" type="button" aria-pressed="true">Mail</button><button id="as-text" type="button" aria-pressed="false">Text</button>
          </div>
          <button id="copy-code" class="quiet code" type="button" hidden></button>
          <span class="grow"></span>
          <a id="open" class="quiet" target="_blank" rel="noopener">Open alone</a>
          <button id="delete" class="quiet danger" type="button">Delete</button>
        </div>
      </header>
      <iframe id="html" title="Mail" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>
      <pre id="text" tabindex="0" hidden></pre>
    </div>
  </article>
</main>
<dialog id="confirm" aria-labelledby="confirm-title">
  <h2 id="confirm-title"></h2>
  <p>Links and codes in these mails cannot be looked up again.</p>
  <form method="dialog" class="choices"><button value="keep" class="quiet" autofocus>Keep</button><button value="delete" class="strong">Delete all</button></form>
</dialog>
<p id="said" class="hidden" role="status"></p>
</body>
</html>
`

/**
 * The mailbox's one page; its script fills it.
 *
 * @param hasTexts texts are kept beside the mails, on a page of their own.
 */
export const mailboxPage = (hasTexts: boolean): string =>
  page.replace('<!--name-->', hasTexts ? 'Local post' : 'Mailbox').replace('<!--kinds-->', hasTexts ? texts : '')
