// The line editor of libedit (https://thrysoee.dk/editline, libedit-dev), as Swift can call it: its
// own functions take arguments in any number.

#ifndef CLINEEDITOR_H
#define CLINEEDITOR_H

#include <stdbool.h>
#include <stddef.h>

/// How the reading of a line ended.
typedef enum {
    /// With Return.
    LINE_EDITOR_LINE,
    /// With Ctrl-C: the line is dropped.
    LINE_EDITOR_CANCELLED,
    /// With Ctrl-D in an empty line, or the terminal went away.
    LINE_EDITOR_END,
} line_editor_ending;

typedef struct line_editor line_editor;

/// Makes an editor of lines from the standard input, shown on the standard error; null where there
/// is no memory for one. Texts are UTF-8, whatever the environment says. The file .editrc of the
/// user applies.
///
/// - prompt: shown before each line.
/// - lines: how many lines are remembered at most.
line_editor *line_editor_open(const char *prompt, int lines);

/// Remembers a line, the one before it if that is the same only once.
void line_editor_remember(line_editor *editor, const char *line);

/// Reads a line, without its end; valid until the next call, and null for the other endings.
const char *line_editor_read(line_editor *editor, size_t *count, line_editor_ending *ending);

/// Gives the terminal back as it was before the line that is being read; any thread may call it.
void line_editor_give_back(void);

void line_editor_close(line_editor *editor);

#endif
