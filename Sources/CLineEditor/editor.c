#include "CLineEditor.h"

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// Ctrl-C comes as a character while a line is edited, not as a signal: no other thread has to
// interrupt this one. Ctrl-Z stays a signal.

struct line_editor {
    EditLine *edit;
    History *history;
    char *prompt;
    bool is_cancelled;
};

/// What the terminal was before the line that is being read.
static struct termios found;
static atomic_bool is_found;

static line_editor *owner(EditLine *edit)
{
    void *data = NULL;
    el_get(edit, EL_CLIENTDATA, &data);
    return data;
}

static char *prompt(EditLine *edit) { return owner(edit)->prompt; }

static unsigned char cancel(EditLine *edit, int character)
{
    (void)character;
    owner(edit)->is_cancelled = true;
    return CC_EOF;
}

static void read_utf8(void)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
}

line_editor *line_editor_open(const char *text, int lines)
{
    line_editor *editor = calloc(1, sizeof *editor);
    if (!editor) return NULL;
    read_utf8();
    editor->prompt = strdup(text);
    editor->history = history_init();
    editor->edit = el_init("fresnel", stdin, stderr, stderr);
    if (!editor->prompt || !editor->history || !editor->edit) {
        line_editor_close(editor);
        return NULL;
    }
    HistEvent event;
    history(editor->history, &event, H_SETSIZE, lines);
    history(editor->history, &event, H_SETUNIQUE, 1);
    EditLine *edit = editor->edit;
    el_set(edit, EL_CLIENTDATA, editor);
    el_set(edit, EL_PROMPT, prompt);
    el_set(edit, EL_HIST, history, editor->history);
    el_set(edit, EL_EDITOR, "emacs");
    el_set(edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_source(edit, NULL);
    el_set(edit, EL_ADDFN, "fresnel-cancel", "Drops the line", cancel);
    el_set(edit, EL_BIND, "^C", "fresnel-cancel", NULL);
    return editor;
}

void line_editor_remember(line_editor *editor, const char *line)
{
    HistEvent event;
    history(editor->history, &event, H_ENTER, line);
}

const char *line_editor_read(line_editor *editor, size_t *count, line_editor_ending *ending)
{
    editor->is_cancelled = false;
    bool is_terminal = tcgetattr(STDIN_FILENO, &found) == 0;
    if (is_terminal) {
        is_found = true;
        struct termios plain = found;
        plain.c_cc[VINTR] = _POSIX_VDISABLE;
        tcsetattr(STDIN_FILENO, TCSANOW, &plain);
    }
    // The window may have another size since the last line.
    el_resize(editor->edit);
    int length = 0;
    const char *line = el_gets(editor->edit, &length);
    line_editor_give_back();
    bool is_line = line && length > 0;
    *ending = editor->is_cancelled ? LINE_EDITOR_CANCELLED
        : is_line                  ? LINE_EDITOR_LINE
                                   : LINE_EDITOR_END;
    if (*ending != LINE_EDITOR_LINE) return NULL;
    *count = (size_t)length - (line[length - 1] == '\n');
    return line;
}

void line_editor_give_back(void)
{
    if (is_found) tcsetattr(STDIN_FILENO, TCSANOW, &found);
}

void line_editor_close(line_editor *editor)
{
    if (editor->edit) el_end(editor->edit);
    if (editor->history) history_end(editor->history);
    free(editor->prompt);
    free(editor);
}
