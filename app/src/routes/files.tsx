import { BucketList } from '#features/files/list/bucket-list.tsx'

/** `/files`: all buckets one may see. */
export const Screen = () => <BucketList />
