import type { ways as English } from '#messages/en/ways.ts'

export const ways: typeof English = {
  passkey: 'パスキーでログイン',
  passkeyUnused: 'パスキーは使用されませんでした。もう一度試すか、別の方法を選んでください。',
  passkeyElsewhere: 'このアドレスではパスキーを使えません。別の方法を選んでください。',
  with: (provider) => `${provider} で続ける`,
  lastUsed: '前回使用',
  loadFailed: 'ほかのログイン方法を読み込めませんでした。',

  phone: {
    way: '電話番号で続ける',
    title: '電話番号でログイン',
    lead: '番号にコードを送ります。通信事業者の料金がかかる場合があります。',
    country: '国',
    number: '電話番号',
    missing: '電話番号を入力してください。',
    malformed: '電話番号の形式が正しくありません。電話をかけるときの番号、または + と国番号を付けた番号を入力してください。',
    sendTo: (number) => `コードの送信先：${number}`,
    submit: 'コードを送信',
    submitLocked: (seconds) => `コードを送信（${seconds} 秒）`,
    whatsApp: 'WhatsApp で送信',
    unknown: 'この番号のアカウントはありません。',
    unknownHint: '番号を確認するか、別の方法を選んでください。',
    codeTitle: '電話を確認してください',
    codeLead: 'お送りしたメッセージのコードを入力してください。',
    change: (number) => `番号 ${number} を変更`,
    code: 'メッセージのコード',
    codeHint: '届くまで 1 分ほどかかることがあります。',
    codeMissing: 'メッセージのコードを入力してください。',
    codeWrong: 'コードが違うか、期限が切れています。数字を確認するか、新しいコードを送信してください。',
    notThere: 'メッセージが届かない場合',
    sentAgain: '新しいコードを送信しました。以前のコードは使えません。',
  },

  sso: {
    way: '組織のアカウントで続ける',
    title: '組織のアカウントでログイン',
    lead: '仕事用のメールアドレスを入力してください。組織のログインページに移動します。',
    email: '仕事用のメールアドレス',
    submit: '続ける',
    unknown: (domain) => `${domain} を使う組織は登録されていません`,
    unknownHint: 'アドレスを確認するか、別のログイン方法を選んでください。',
  },

  wallet: {
    with: (wallet) => `${wallet} で続ける`,
    ethereum: 'Ethereum ウォレット',
    solana: 'Solana ウォレット',
    statement: (project) => `${project} にログインします。費用はかからず、資産の移動もありません。`,
    refused: 'ウォレットが署名しませんでした',
    refusedHint: '何も変更されていません。ウォレットを開いてアカウントを選び、もう一度お試しください。',
  },

  guest: {
    way: 'ゲストとして試す',
    hint: 'アカウントを保存するまで、操作内容はこのブラウザに保存されます。',
  },

  signUp: {
    missing: (label) => `「${label}」を入力してください。`,
    malformedNumber: '数値を入力してください。',
    malformedUrl: 'https://example.com のように、アドレス全体を入力してください。',
    choose: '選択',
    agree: {
      two: (one, other) => ['', one, 'と', other, 'に同意します。'],
      one: (page) => ['', page, 'に同意します。'],
      none: 'このアプリの規約に同意します。',
    },
    goOn: {
      two: (one, other) => ['続けると、', one, 'と', other, 'に同意したものとみなされます。'],
      one: (page) => ['続けると、', page, 'に同意したものとみなされます。'],
      none: '続けると、このアプリの規約に同意したものとみなされます。',
    },
    terms: '利用規約',
    privacy: 'プライバシーポリシー',
    agreeMissing: 'アカウントの作成には同意が必要です。',
    contact: 'アカウントを申請',
  },

  password: {
    atLeast: (count) => `${count} 文字以上`,
    classes: { letters: '英字', lower: '英小文字', upper: '英大文字', digits: '数字', symbols: '記号' },
    met: '条件を満たしています',
    notMet: 'まだ条件を満たしていません',
    strength: '強度',
    strengths: ['非常に弱い', '弱い', '普通', '良い', '強い'],
  },

  keep: {
    notice: 'ゲストとして利用中です。ログアウトしたりブラウザのデータを消去したりすると、操作内容は失われます。',
    way: 'アカウントを保存',
    title: 'アカウントを保存',
    lead: 'メールアドレスとパスワードを設定すると、ゲストとしての操作内容を引き継げます。',
    submit: 'アカウントを保存',
    takenTitle: 'このアドレスのアカウントはすでにあります',
    takenHint: 'ゲストとしての操作内容を残すには、別のアドレスを使ってください。そのアカウントにログインすると、ゲストとしての操作内容にはアクセスできなくなります。',
    signInInstead: '操作内容を残さずログイン',
    codeTitle: 'アドレスを確認',
    codeLead: 'お送りしたメールのコードを入力するか、このブラウザでリンクを開いてください。',
    later: '後で',
  },
}
