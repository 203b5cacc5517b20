import type { ownData as English } from '#messages/en/own-data.ts'
import { plural } from './forms.ts'

export const ownData: typeof English = {
  export: {
    heading: 'データをエクスポート',
    lead: 'このアカウントの内容を 1 つの JSON ファイルにまとめます。保管用にも、ほかのサービスへの移行にも使えます。',
    account: 'プロフィール、ログイン方法、セッション、アクティビティ、連携アプリが含まれます。',
    tables: 'あなたの行も含まれます',
    table: (name, column) => `${name}（${column} があなたの行）`,
    start: 'エクスポート',
    stop: '停止',
    working: (what) => `${what} を読み込み中`,
    workingAccount: 'アカウント',
    rows: (count) => plural(count, { other: 'これまでに # 行' }),
    done: (size) => `ファイルを保存しました（${size}）。`,
    partly: (names) => `一部を読み込めませんでした：${names}。ファイルにもその旨を記載しています。残りは保存しました。`,
    again: 'ファイルをもう一度保存',
    cut: (name, count) => plural(count, { other: `${name} は # 行を超えているため、残りは含まれていません` }),
  },

  remove: {
    heading: 'アカウントを削除',
    lead: '完全に削除され、誰にも復元できません。',
    start: 'アカウントを削除',
    title: 'アカウントを削除しますか？',
    goes: 'すぐに削除されるもの：',
    goesAccount: 'アカウントと、そのすべてのログイン方法',
    goesSessions: 'すべてのデバイスのセッション',
    goesPhoto: '写真',
    goesRows: (table) => `${table} にあるあなたの行`,
    stays: '残るもの：',
    staysRows: (table) => `${table} の行（あなたのものだという情報は消えます）`,
    staysFiles: 'アップロードしたファイル',
    blocks: '次の場所にあなたの行があると、削除できない場合があります：',
    confirmLabel: (what) => `確認のため「${what}」と入力してください`,
    confirmWord: '削除',
    mismatch: (what) => `「${what}」と一致しません。`,
    submit: 'アカウントを完全に削除',
    failed: 'アカウントは削除されていません',
    inUse: '先に、あなたの行を処理する必要があります',
    inUseIn: (table) => `${table} にあるあなたの行を削除するかほかの人に引き継いでから、もう一度お試しください。`,
    inUseSomewhere: 'このアカウントから切り離せないデータがあります。このアプリの管理者にお問い合わせください。',
  },

  goodbye: {
    title: 'アカウントを削除しました',
    lead: (project) => `すべてのデバイスで ${project} からログアウトしました。ご利用ありがとうございました。`,
    note: 'ほかのデバイスに反映されるまで、最大 1 時間かかることがあります。',
    again: 'ログインページへ',
  },
}
