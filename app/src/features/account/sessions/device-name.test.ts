import { expect, it } from 'vitest'
import { readDevice } from './device-name.ts'

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36', ['Chrome', 'Windows', 'computer']],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0', ['Edge', 'Windows', 'computer']],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15', ['Safari', 'macOS', 'computer']],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1', ['Safari', 'iPhone', 'phone']],
  ['Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1', ['Chrome', 'iPad', 'computer']],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36', ['Chrome', 'Android', 'phone']],
  ['Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36', ['Samsung Internet', 'Android', 'phone']],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', ['Firefox', 'Linux', 'computer']],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36', ['Chrome', 'ChromeOS', 'computer']],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 OPR/120.0', ['Opera', 'Windows', 'computer']],
  ['node', ['Node.js', '', 'program']],
  ['Dart/3.5 (dart:io)', ['Dart', '', 'program']],
  ['curl/8.5.0', ['curl', '', 'program']],
  ['<script>alert(1)</script>', ['', '', 'computer']],
  ['', ['', '', 'computer']],
])('%s', (userAgent, expected) => {
  const { browser, system, kind } = readDevice(userAgent)
  expect([browser, system, kind]).toEqual(expected)
})
