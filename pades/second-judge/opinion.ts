/** What the second judge says. */

/** `unknown`: undecided, as with a structure or algorithm that it does not support. */
export type Opinion = 'right' | 'wrong' | 'unknown'
