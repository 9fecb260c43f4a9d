/** Milliseconds: edits of one text within this time of each other are one step, so that undo takes back what was typed. */
const pause = 800;
/** Steps that are kept; the states share unchanged parts. */
const most = 200;

/** Which text is being typed in, and when (milliseconds of any clock). */
export type Typing = { place: string; at: number };
type Step<State, Mark> = { readonly state: State; readonly mark: Mark };

/** The undo history of a form: past states, the present one, and undone ones. A mark says what an edit was about. */
export type EditHistory<State, Mark> = {
  readonly past: readonly Step<State, Mark>[];
  readonly present: State;
  readonly future: readonly Step<State, Mark>[];
  readonly typing: Typing | null;
};

export function startHistory<State, Mark>(present: State): EditHistory<State, Mark> {
  return { past: [], present, future: [], typing: null };
}

/** Records an edit. Without `typing`, after a pause or in another text, it is a separate step. */
export function recordEdit<State, Mark>(
  history: EditHistory<State, Mark>,
  next: State,
  mark: Mark,
  typing: Typing | null = null,
): EditHistory<State, Mark> {
  const { past, present, typing: last } = history;
  if (next === present) return history;
  const continuesTyping =
    typing !== null && last !== null && typing.place === last.place && typing.at - last.at < pause;
  const steps = continuesTyping ? past : [...past, { state: present, mark }].slice(-most);
  return { past: steps, present: next, future: [], typing };
}

/** Ends the current typing step, for example after a save: further typing is a new step. */
export function endTyping<State, Mark>(history: EditHistory<State, Mark>): EditHistory<State, Mark> {
  return history.typing === null ? history : { ...history, typing: null };
}

/** Applies one change to every state of the history, for an addition that belongs to none of the edits. */
export function everyState<State, Mark>(
  history: EditHistory<State, Mark>,
  change: (state: State) => State,
): EditHistory<State, Mark> {
  const every = ({ state, mark }: Step<State, Mark>) => ({ state: change(state), mark });
  const [past, future] = [history.past.map(every), history.future.map(every)];
  return { ...history, past, present: change(history.present), future };
}

type Moved<State, Mark> = { history: EditHistory<State, Mark>; mark: Mark };

/** Goes one step back and returns the mark of the undone edit; undefined if there is none. */
export function undoEdit<State, Mark>({
  past,
  present,
  future,
}: EditHistory<State, Mark>): Moved<State, Mark> | undefined {
  const step = past.at(-1);
  if (step === undefined) return undefined;
  const { state, mark } = step;
  const rest = { past: past.slice(0, -1), future: [...future, { state: present, mark }] };
  return { history: { ...rest, present: state, typing: null }, mark };
}

/** Goes one step forward and returns the mark of the redone edit; undefined if nothing was undone. */
export function redoEdit<State, Mark>({
  past,
  present,
  future,
}: EditHistory<State, Mark>): Moved<State, Mark> | undefined {
  const step = future.at(-1);
  if (step === undefined) return undefined;
  const { state, mark } = step;
  const rest = { past: [...past, { state: present, mark }], future: future.slice(0, -1) };
  return { history: { ...rest, present: state, typing: null }, mark };
}
