import { join } from 'node:path';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { JobContext } from '#platform/jobs/job.ts';
import { KontorError } from '#platform/errors.ts';
import { fileTooLarge } from './file-limits.ts';
import { importPlace } from './import-place.ts';
import { nextcloudFile, requireShared, sharedFile } from './share-links.ts';

/** A file to read. `endKnown`: the transfer itself proved that the file is complete. */
export type Incoming = { readonly file: string; readonly contentType: string | undefined; readonly endKnown: boolean };

/**
 * Downloads the file at an address, at most `most` bytes, into the working folder of this attempt; a retry downloads it again. A
 * share link (Google Tabellen, Dropbox, Nextcloud) is resolved to its file.
 * @throws 422 when the file is too large or the link is not shared
 */
export async function download(
  { egress, vault }: { egress: Egress; vault: Vault },
  { company, runid, work }: { company: string; runid: string; work: string },
  { sealedUrl, most }: { sealedUrl: string; most: number },
  context: JobContext,
): Promise<Incoming> {
  const file = join(work, 'download');
  const address = vault.open(company, importPlace(runid), sealedUrl);
  const limits = {
    maxBytes: most,
    signal: context.signal,
    onBytes: (done: number, total: number) => context.progress({ done, total, phase: 'Herunterladen' }),
  };
  try {
    const shared = sharedFile(address);
    const first = await egress.download(shared?.address ?? address, file, limits);
    const directAddress = shared ? undefined : nextcloudFile(address, first.contentType);
    const { contentType, endKnown } = directAddress
      ? await egress.download(directAddress.address, file, limits)
      : first;
    const link = shared ?? directAddress;
    if (link) requireShared(link, contentType);
    return { file, contentType, endKnown };
  } catch (error) {
    throw error instanceof KontorError && error.code === 'too_large' ? fileTooLarge(422, most) : error;
  }
}
