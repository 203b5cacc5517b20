import type { ProjectClient, User } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
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

/**
 * Says whether the project has a public bucket for pictures. The list of buckets is mostly closed to people; but the
 * answer for a file that is not there names which is missing, file or bucket.
 */
export async function findPhotoBucket({ project, fetch }: ProjectClient): Promise<boolean> {
  const folder = folderAddress(project, 'none')
  if (folder === undefined) return false
  const answer = await fetch(`${folder}none`, { headers: { apikey: project.key } })
  if (answer.ok) return true
  const text = await answer.text()
  return /object not found|NoSuchKey/i.test(text)
}

/**
 * Puts a new picture in place of the old one, and its address where the person's name stands too.
 *
 * @throws AppError when the bucket's policies, or its limits, refuse it.
 */
export async function savePhoto({ client, project }: ProjectClient, user: User, picture: Blob): Promise<void> {
  const bucket = client.storage.from(photoBucket(project) ?? '')
  // A new name each time: pictures are cached for long.
  const path = `${user.id}/${Date.now().toString(36)}.${picture.type === 'image/webp' ? 'webp' : 'jpg'}`
  await unwrap(bucket.upload(path, picture, { contentType: picture.type, cacheControl: '31536000', upsert: false }))
  const former = ownPhotoPath(user, project)
  try {
    await unwrap(client.auth.updateUser({ data: { avatar_url: bucket.getPublicUrl(path).data.publicUrl } }))
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
