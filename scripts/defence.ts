/** A defence, how it is taken out, and the test that has to fail then. `from` stands once in the file. */
export type Defence = {
  /** Of docs/requirements.md: a threat, a fault, or what an attack on the running program found (H, M). */
  readonly threat: string;
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Part of the titles of the tests that are run. */
  readonly title: string;
  /** Two at the same moment, which the embedded database does one after the other: the test runs on the server's. */
  readonly postgres?: true;
};

/** A threat or fault that no patch can prove, and why. */
export type Unproven = { readonly threat: string; readonly why: string };
