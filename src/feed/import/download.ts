import { join } from 'node:path';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { JobContext } from '#platform/jobs/job.ts';
import { importPlace } from './import-place.ts';

const MAX_DOWNLOAD_BYTES = 4 * 1024 ** 3;

/** A file that is to be read. `endKnown`: whether the transfer itself said where it ends. */
export type Incoming = { readonly file: string; readonly contentType: string | undefined; readonly endKnown: boolean };

/** Fetches the file of an address into the folder of the attempt; a later one fetches it again. */
export async function download(
  { egress, vault }: { egress: Egress; vault: Vault },
  { company, runid, work }: { company: string; runid: string; work: string },
  sealedUrl: string,
  context: JobContext,
): Promise<Incoming> {
  const file = join(work, 'download');
  const address = vault.open(company, importPlace(runid), sealedUrl);
  const { contentType, endKnown } = await egress.download(address, file, {
    maxBytes: MAX_DOWNLOAD_BYTES,
    signal: context.signal,
    onBytes: (done, total) => context.progress({ done, total, phase: 'Herunterladen' }),
  });
  return { file, contentType, endKnown };
}
