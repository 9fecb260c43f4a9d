import { filePieces } from '#feed/import/reader/text/file-pieces.ts';
import type { CsvScanner } from './csv-scan.ts';

/** Finds the lines of records in a single pass over the file, over any number of calls. */
export class RecordLines {
  private readonly scanner: CsvScanner;
  private readonly pieces: AsyncGenerator<Buffer>;
  private readonly onPiece: () => void;
  private before = 0;
  private ended = false;

  /** `scanner`: created with `keepLines`. */
  constructor(scanner: CsvScanner, path: string, start: number, onPiece: () => void) {
    this.scanner = scanner;
    this.pieces = filePieces(path, start);
    this.onPiece = onPiece;
  }

  /** Returns the lines of records. Ordinals from 0, ascending over all calls. */
  async of(ordinals: readonly number[]): Promise<number[]> {
    const found: number[] = [];
    for (const ordinal of ordinals) {
      while (!this.ended && ordinal >= this.before + this.scanner.lines.length) await this.readMore();
      found.push(this.scanner.lines[ordinal - this.before] ?? 0);
    }
    return found;
  }

  async close(): Promise<void> {
    await this.pieces.return(undefined);
  }

  private async readMore(): Promise<void> {
    this.before += this.scanner.lines.length;
    this.scanner.lines.length = 0;
    const piece = await this.pieces.next();
    if (piece.done) {
      this.ended = true;
      this.scanner.finish();
    } else this.scanner.scan(piece.value);
    this.onPiece();
  }
}
