/** Media type of a response that is a live component; no other response is one (LVC-03). */
export const LIVE_MEDIA_TYPE = 'application/vnd.live-component+html';
/** With status 204 and `Location`: the browser should navigate there. */
export const LIVE_REDIRECT_HEADER = 'x-live-redirect';
/** Maximum number of actions in one request. */
export const MOST_ACTIONS = 50;
/** Longest URL for a component request by GET; longer requests use POST. */
export const MOST_GET_CHARACTERS = 1500;
/** The action that only renders a component again. */
export const RENDER = '$render';
