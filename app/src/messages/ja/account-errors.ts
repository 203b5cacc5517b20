import type { accountErrors as English } from '#messages/en/account-errors.ts'

export const accountErrors: typeof English = {
  portico_signed_out: { title: 'セッションが終了しました', whatToDo: 'もう一度ログインしてください。保存していない内容はこのタブに残っています。' },
  portico_not_for_guests: { title: 'ゲストはこの操作を行えません', whatToDo: '先にメールアドレスまたは電話番号を追加して、アカウントを保存してください。' },
  portico_not_for_apps: { title: 'この操作をアプリが代わりに行うことはできません', whatToDo: 'ご自身のブラウザでログインしてください。' },
  portico_fresh_proof_needed: { title: '前回のログインから時間が経ちすぎています', whatToDo: 'ログアウトしてもう一度ログインし、15 分以内に操作をやり直してください。' },
  portico_second_factor_needed: { title: '2 段階認証が必要です', whatToDo: 'コードを入力し、15 分以内に操作をやり直してください。' },
  portico_session_not_found: { title: 'このセッションはすでに終了しています', whatToDo: '必要な操作はありません。' },
  portico_account_in_use: { title: '先に、あなたの行を処理する必要があります', whatToDo: '行を削除するかほかの人に引き継いでから、もう一度お試しください。' },
  portico_photos_not_public: { title: 'ここでは写真を表示できません', whatToDo: '写真を保存するバケットが公開されていません。このアプリの管理者にお知らせください。' },
}
