import { AppError } from '#api/app-error.ts'
import type { ProjectClient, User } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { pictureOf } from '#features/account/person.ts'
import type { Project } from '#project.ts'

/** The public bucket that holds people's pictures, each below the person's id; null when the operator wants none. */
export const photoBucket = ({ avatars = 'avatars' }: Pick<Project, 'avatars'>): string | null => (avatars === false ? null : avatars)

const folderAddress = (project: Project, userId: string): string | undefined => {
  const bucket = photoBucket(project)
  return bucket === null ? undefined : `${project.url}/storage/v1/object/public/${encodeURIComponent(bucket)}/${userId}/`
}

/** The name of the person's picture in the bucket; undefined when it lies elsewhere, as one that came from a provider does. */
function ownPhotoPath(user: User, project: Project): string | undefined {
  const folder = folderAddress(project, user.id)
  const picture = pictureOf(user)
  if (folder === undefined || !picture.startsWith(folder)) return undefined
  const name = picture.slice(folder.length).split(/[?#]/)[0] ?? ''
  return /^[\w.-]+$/.test(name) ? `${user.id}/${name}` : undefined
}

export const hasOwnPhoto = (user: User, project: Project): boolean => ownPhotoPath(user, project) !== undefined

/** A bucket that was not there is not looked for again for so long: each look that fails is a line in the browser's console. */
const absentMs = 60 * 60_000

/**
 * Says whether the person may put a picture into the project's bucket. The list of buckets is mostly closed to people; but
 * asking for leave to upload tries bucket and policies alike, and writes nothing.
 */
export async function findPhotoBucket({ project, client }: ProjectClient, userId: string): Promise<boolean> {
  const bucket = photoBucket(project)
  if (bucket === null) return false
  const key = `portico.no-photos.${project.id}`
  const [absentFor, absentSince] = (localStorage.getItem(key) ?? '').split(' ')
  if (absentFor === userId && Date.now() - Number(absentSince) < absentMs) return false
  const { error } = await client.storage.from(bucket).createSignedUploadUrl(`${userId}/photo`)
  if (!error) return true
  const { kind } = toAppError(error)
  if (kind === 'offline' || kind === 'busy' || kind === 'broken') throw error
  localStorage.setItem(key, `${userId} ${Date.now()}`)
  return false
}

/**
 * Puts a new picture in place of the old one, and its address where the person's name stands too.
 *
 * @throws AppError when the bucket's policies, or its limits, refuse it.
 */
export async function savePhoto({ client, project, fetch }: ProjectClient, user: User, picture: Blob): Promise<void> {
  const bucket = client.storage.from(photoBucket(project) ?? '')
  // A new name each time: pictures are cached for long.
  const path = `${user.id}/${Date.now().toString(36)}.${picture.type === 'image/webp' ? 'webp' : 'jpg'}`
  await unwrap(bucket.upload(path, picture, { contentType: picture.type, cacheControl: '31536000', upsert: false }))
  const former = ownPhotoPath(user, project)
  const { publicUrl } = bucket.getPublicUrl(path).data
  try {
    // Others see it by its public address alone.
    const { ok } = await fetch(publicUrl, { method: 'HEAD' })
    if (!ok) throw new AppError('forbidden', 'The bucket is not public', { code: 'portico_photos_not_public' })
    await unwrap(client.auth.updateUser({ data: { avatar_url: publicUrl } }))
  } catch (failure) {
    await bucket.remove([path])
    throw failure
  }
  // The new one is in place; an old one that may not be removed harms nobody.
  if (former !== undefined) await bucket.remove([former])
}

/** Removes the file; the person's record is another matter. */
export async function removePhoto({ client, project }: ProjectClient, user: User): Promise<void> {
  const path = ownPhotoPath(user, project)
  if (path !== undefined) await unwrap(client.storage.from(photoBucket(project) ?? '').remove([path]))
}

/** Shows no picture any more, and removes the file where it is the project's. */
export async function clearPhoto(connection: ProjectClient, user: User): Promise<void> {
  await unwrap(connection.client.auth.updateUser({ data: { avatar_url: null } }))
  await removePhoto(connection, user).catch(() => undefined)
}
