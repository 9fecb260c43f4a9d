import { KontorError } from '#platform/errors.ts';

/** A refusal by the store, other than that it is away, full or locked. */
export class StoreRefusal extends KontorError {
  /** HTTP status of the response. */
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
