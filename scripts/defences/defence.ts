/** A defence, how to remove it, and the test that must then fail. `from` must occur exactly once in the file. */
export type Defence = {
  /** Id in docs/requirements.md: a threat, a fault, or a finding of an attack on the running program (H, M). */
  readonly threat: string;
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Part of the titles of the tests to run. */
  readonly title: string;
  /** Set if the test needs concurrent transactions, which the embedded database does not run: it uses the PostgreSQL server. */
  readonly postgres?: true;
};

/** A threat or fault that cannot be proved by removing a defence, and why. */
export type Unproven = { readonly threat: string; readonly why: string };
