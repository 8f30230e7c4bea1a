/** An import of it reads each of its members, and so loads fetch and WebSocket at each start. */
export const http = process.getBuiltinModule('node:http');
