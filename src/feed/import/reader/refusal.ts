/**
 * The whole file is refused: nothing of it is imported. The message is German and says what happened, what it means
 * and what to do; `line` is the physical line where the trouble starts, when there is one.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly line: number | undefined;
  constructor(code: string, message: string, line?: number) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.line = line;
  }
}
