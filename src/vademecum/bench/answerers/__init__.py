"""Who answers: present (an upper bound), reader (must choose), model."""
