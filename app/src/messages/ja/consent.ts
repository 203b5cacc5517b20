import type { consent as English } from '#messages/en/consent.ts'

export const consent: typeof English = {
  title: (app, project) => `${app} が ${project} のアカウントでのログインを求めています`,
  documentTitle: 'アクセスを許可',
  loading: 'リクエスト元を確認中',
  place: '移動先',
  placeHint: {
    web: 'アプリの名前は自由に付けられます。このアドレスに心当たりがある場合にのみ進んでください。',
    device: 'このコンピュータ上のプログラムです。たった今起動した場合にのみ進んでください。',
    app: 'このデバイス上のアプリです。たった今使っていた場合にのみ進んでください。',
  },

  asWhom: 'アカウント',
  guest: 'ゲスト',
  another: '別のアカウントを使う',

  may: '許可される操作',
  scopes: {
    openid: '次回以降もあなたを識別する',
    email: 'メールアドレスを見る',
    phone: '電話番号を見る',
    profile: '名前、写真、その他のプロフィール情報を見る',
    offline_access: 'あなたの不在時も接続を維持する',
  },
  actForYou: (project) => `${project} であなたの代わりに操作する（あなたに許可されている範囲の閲覧と変更）`,
  takeBack: 'アカウントの「連携アプリ」から、いつでも取り消せます。',
  allow: '許可',
  deny: '許可しない',

  switchTitle: '別のアカウントを使う',
  switchLead: (app, email) => `このリクエストは ${email} に結び付いています。ここでログアウトし、${app} からやり直してください。その際に、使うアカウントを選べます。`,
  switchGo: 'ログアウトして戻る',
  switchStay: (email) => `${email} のまま続ける`,

  leavingTitle: '元のアプリに戻ります',
  leavingKnown: 'このアプリは以前に許可されています。',
  leavingAllowed: '許可しました。',
  leavingDenied: '許可しませんでした。',
  leavingLead: (place) => `自動で移動しない場合は、${place} に進んでください。`,
  leavingApp: 'アプリが自動で開かない場合は、ここから開いてください。その後、このページは閉じてかまいません。',
  goOn: '進む',
  openApp: 'アプリを開く',

  failures: {
    missing: { title: 'リクエストがありません', lead: 'ここは、アプリがアクセスを求めるときに開くページです。アプリに戻り、そこから始めてください。' },
    gone: {
      title: 'このリクエストは無効になりました',
      lead: 'リクエストの有効期間は 10 分で、最初に開いたアカウントでのみ使えます。アプリに戻ってやり直してください。',
    },
    expired: { title: '時間が経ちすぎました', lead: 'リクエストの有効期間は 10 分です。何も許可されていません。アプリに戻ってやり直してください。' },
    answered: { title: 'このリクエストには回答済みです', lead: '回答できるのは 1 回だけです。アプリがまだ待機中の場合は、アプリに戻ってやり直してください。' },
    origin: {
      title: 'このページはプロジェクトの代わりに回答できません',
      lead: 'このアドレスはプロジェクトに登録されていません。許可されたリダイレクト先に追加するよう、管理者にお知らせください。',
    },
    off: { title: 'ここではアプリがアクセスを求めることはできません', lead: 'このプロジェクトでは、ほかのアプリからのログインが許可されていません。リクエスト元のアプリの管理者にお知らせください。' },
    unsafe: { title: '移動を中止しました', lead: 'アプリが指定した戻り先のアドレスは安全ではありません。アプリの管理者にお知らせください。' },
  },
  backTo: (host) => `${host} に戻る`,
  home: 'トップページへ',
  signedInAs: (email) => `${email} としてログインしています。`,
  otherProject: 'アプリが別のプロジェクトのものである可能性があります。',
  chooseProject: 'プロジェクトを選択',
}
