import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { leakedFile, MARK_BYTES, leakedMark } from '../src/auth/passwords/leaked-passwords.ts';
import { PASSWORD_LENGTH } from '../src/shared/account/schema.ts';

// Writes src/auth/passwords/leaked-passwords.bin: `node scripts/leaked-passwords.ts FILE...`, where each file has one password
// per line. Passwords that are too short for an account are left out.
const marks = new Set<number>();
for (const file of process.argv.slice(2)) {
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    const length = Array.from(line).length;
    if (length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max) marks.add(leakedMark(line));
  }
}
if (marks.size === 0) throw new Error('no file named, or no password in it that is long enough');
const bytes = Buffer.alloc(marks.size * MARK_BYTES);
for (const [place, mark] of [...marks].toSorted((a, b) => a - b).entries()) {
  bytes.writeUIntBE(mark, place * MARK_BYTES, MARK_BYTES);
}
await writeFile(leakedFile, bytes);
console.log(
  `${marks.size} passwords, ${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`,
);
