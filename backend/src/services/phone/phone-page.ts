/** The local phone's one page; its script fills it. */
export const phonePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Texts</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/phone/phone.css">
<script src="/phone/phone.js" defer></script>
</head>
<body>
<header class="bar">
  <h1 class="brand">
    <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M2.5 7 10 2.75 17.5 7zM4.75 9.5v6M10 9.5v6M15.25 9.5v6M2.5 17.5h15"/></svg>
    Local post
  </h1>
  <nav class="kinds" aria-label="Kinds of post"><a id="to-mail" href="/">Mail</a><a href="/phone" aria-current="page">Texts</a></nav>
  <p id="count" class="count" aria-live="polite"></p>
  <button id="delete-all" class="quiet" type="button" hidden>Delete all</button>
</header>
<p id="offline" class="offline" role="status" hidden>The box does not answer. Trying again.</p>
<main>
  <ul id="texts"></ul>
  <div id="nothing" class="nothing" hidden><h2>No text yet</h2><p>Codes this project sends to phone numbers appear here. Nothing leaves this machine.</p></div>
</main>
<dialog id="confirm" aria-labelledby="confirm-title">
  <h2 id="confirm-title">Delete all texts?</h2>
  <p>The codes in these texts cannot be looked up again.</p>
  <form method="dialog" class="choices"><button value="keep" class="quiet" autofocus>Keep</button><button value="delete" class="strong">Delete all</button></form>
</dialog>
<p id="said" class="hidden" role="status"></p>
</body>
</html>
`
