import { firstAddress } from './image-cell.tsx';

/**
 * ITE-05: whether a picture can be loaded. It is loaded rather than asked for by HEAD: other hosts seldom allow that to
 * scripts (CORS), and our own content policy does not either; a picture that shows is proof enough.
 */
function isLoadable(url: string, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const image = new Image();
  image.referrerPolicy = 'no-referrer';
  image.onload = () => resolve(image.naturalWidth > 0);
  image.onerror = () => resolve(false);
  signal.addEventListener('abort', () => resolve(false), { once: true });
  image.src = url;
  return promise;
}

/** The addresses among these values that show a picture, at most 8 asked at a time. */
export async function loadableImages(values: readonly (string | null)[], signal: AbortSignal): Promise<Set<string>> {
  const open = [...new Set(values.filter((value) => value !== null && value.trim() !== ''))];
  const good = new Set<string>();
  const worker = async () => {
    for (let value = open.pop(); value !== undefined && !signal.aborted; value = open.pop()) {
      if (value !== null && (await isLoadable(firstAddress(value), signal))) good.add(value);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return good;
}
