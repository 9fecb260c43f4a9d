import { data } from 'react-router';

/** Answers every address without a screen with 404. */
export function loader(): never {
  throw data(null, { status: 404 });
}

export default function Unknown() {
  return null;
}
