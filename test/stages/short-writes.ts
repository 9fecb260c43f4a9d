import { type FileHandle, open } from 'node:fs/promises';

/**
 * Makes file handles write as on a full disk: a write accepts `most` bytes at most and returns their number; without `room` it
 * fails with Node's error. Returns the function that restores them.
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
