import { type FileHandle, open } from 'node:fs/promises';

/**
 * Lets file handles write as on a disk that fills up: a write takes `most` bytes at most and says how many it took; where there is no `room`
 * at all it is refused as Node does. Gives what ends it.
 */
export async function shortWrites({ most, room = Infinity }: { most: number; room?: number }): Promise<() => void> {
  const any = await open('/dev/null', 'w');
  const handles = Object.getPrototypeOf(any) as FileHandle;
  await any.close();
  const write = Reflect.get(handles, 'write');
  let left = room;
  Object.assign(handles, {
    async write(this: FileHandle, data: string | Uint8Array, from = 0, length?: number, at?: number) {
      if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      const bytes = Buffer.from(data);
      const taken = Math.min(length ?? bytes.length - from, most, left);
      left -= taken;
      await Reflect.apply(write, this, [bytes, from, taken, at]);
      return { bytesWritten: taken, buffer: data };
    },
  });
  return () => {
    Object.assign(handles, { write });
  };
}
