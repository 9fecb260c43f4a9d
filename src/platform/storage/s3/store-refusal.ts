import { KontorError } from '#platform/errors.ts';

/** An answer that says no, other than that the store is away, full or locked. */
export class StoreRefusal extends KontorError {
  /** The status it was answered with. */
  readonly answered: number;
  constructor(answered: number, code: string) {
    super(
      503,
      'store_refusal',
      'Der Dateispeicher hat eine Anfrage abgelehnt, die er annehmen sollte. Es wurde nichts geändert, der bisherige Stand gilt weiter. Bitte wenden Sie sich an den Betreiber.',
      { cause: new Error(`the store answered ${answered} ${code}`) },
    );
    this.answered = answered;
  }
}
